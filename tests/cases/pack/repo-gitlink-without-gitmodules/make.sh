# nested: a clone that was added by accident (mode 160000, no .gitmodules); loose: a clone that was not added
git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
mkdir nested
(cd nested && git init -q -b main . && printf 'def nested():\n    return 1\n' > n.py && git add -A && git commit -qm n)
git add nested 2> /dev/null || true
git add -A 2> /dev/null
git commit -qm one
mkdir loose
(cd loose && git init -q -b main . && printf 'def loose():\n    return 1\n' > l.py)
