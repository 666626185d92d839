mkdir main
cd main
git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
git add -A
git commit -qm one
echo '# two' >> ok.py
git commit -qam two
cd ..
git clone -q --depth 1 "file://$PWD/main" ci
cd ci
git checkout -q --detach
