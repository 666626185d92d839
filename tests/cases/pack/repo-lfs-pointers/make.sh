git init -q -b main .
printf 'def ok():\n    return 1\n' > ok.py
printf '*.bin filter=lfs\n*.sql filter=lfs\n' > .gitattributes
for f in model.bin dump.sql; do
    printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 12345\n' 7 > $f
done
git -c filter.lfs.clean=cat -c filter.lfs.required=false add -A
git commit -qm one
