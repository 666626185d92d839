# run in the tree as soon as the run has listed it: files vanish, shrink, grow, become a folder and a dangling link
rm f1.py f2.py
: > f3.py
rm f4.py
mkdir f4.py
printf 'def grown():\n    return 2\n' >> f5.py
ln -sf /nonexistent f6.py
