git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
cat > .gitignore <<'END'
/*
!/*/
!/ok.py
!.gitignore
build/
!/pkg/build/
*.log
!keep.log
logs/
!logs/keep.log
_*.*
END
mkdir -p pkg/build pkg/deep/build logs sub/_foo
for f in scratch.py pkg/a.py pkg/build/gen.py pkg/deep/build/x.py pkg/keep.log pkg/drop.log logs/keep.log \
         sub/_foo/bar.py sub/_skip.py; do
    printf 'def f_%s():\n    return 1\n' "$(echo $f | tr -c 'a-z0-9\n' '_')" > $f
done
git add -A
git commit -qm one
