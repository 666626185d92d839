git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
printf 'def latin_name():\n    return 1\n' > "$(printf 'caf\351.py')"
mkdir "$(printf 'd\377')"
printf 'def in_bad_dir():\n    return 1\n' > "$(printf 'd\377/x.py')"
git add -A
git commit -qm one
