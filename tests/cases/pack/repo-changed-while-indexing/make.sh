# 200 small files, committed
git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
for i in $(seq 200); do printf 'def f%03d():\n    return 1\n' "$i" > "f$i.py"; done
git add -A
git commit -qm one
