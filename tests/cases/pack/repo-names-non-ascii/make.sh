git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
mkdir -p 'src/中文目录' 'src/café'
printf 'def cjk():\n    return 1\n' > 'src/中文目录/血条.py'
printf 'def accent():\n    return 1\n' > 'src/café/é.py'
printf 'def emoji():\n    return 1\n' > 'src/🙂.py'
git add -A
git commit -qm one
