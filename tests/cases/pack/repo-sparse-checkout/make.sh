mkdir main
cd main
git init -q -b main .
mkdir in out
printf 'def seen():\n    return 1\n' > in/a.py
printf 'def unseen():\n    return 1\n' > out/b.py
git add -A
git commit -qm one
cd ..
git clone -q --no-checkout "file://$PWD/main" sp
cd sp
git sparse-checkout init --cone
git sparse-checkout set in
git checkout -q main
