printf 'def ok():\n    return 1\n' > ok.py
printf 'build/\n' > .gitignore
mkdir build
printf 'def junk():\n    pass\n' > build/j.py
