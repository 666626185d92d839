git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
printf '*\n' > .dockerignore
printf 'ok.py\n' > .npmignore
printf '**/*.py\n' > .prettierignore
git add -A
git commit -qm one
