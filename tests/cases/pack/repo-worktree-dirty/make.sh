# deleted, modified, renamed, untracked, staged then deleted; and a lock that a killed git left behind
git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
for f in gone mod ren stg; do printf 'def %s():\n    return 1\n' $f > $f.py; done
git add -A
git commit -qm one
rm gone.py
printf 'def mod_new():\n    return 2\n' > mod.py
git mv ren.py renamed.py
printf 'def fresh():\n    return 1\n' > fresh.py
printf 'def st2():\n    return 1\n' > stg.py
git add stg.py
rm stg.py
: > .git/index.lock
