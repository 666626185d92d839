git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
