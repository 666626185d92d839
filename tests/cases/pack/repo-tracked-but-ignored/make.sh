git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
mkdir config
printf 'def forced():\n    return 1\n' > config/settings.py
printf 'config/\n' > .gitignore
git add -f config/settings.py
git add -A
git commit -qm one
printf 'def never():\n    return 1\n' > config/local.py
