mkdir sub_src main
cd sub_src
git init -q -b main .
printf 'def inner():\n    return 1\n' > inner.py
git add -A
git commit -qm s
cd ../main
git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
git -c protocol.file.allow=always submodule add -q ../sub_src vendor/sub
git add -A
git commit -qm one
