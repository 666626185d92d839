mkdir main
cd main
git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
git add -A
git commit -qm one
git worktree add -q -b feat ../wt
printf 'def only_feat():\n    return 1\n' > ../wt/feat.py
(cd ../wt && git add -A && git commit -qm feat)
mkdir -p .trees
git worktree add -q -b inner .trees/inner
printf '.trees/\n' > .gitignore
