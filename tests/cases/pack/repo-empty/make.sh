mkdir plain repo
cd repo
git init -q -b main .
git commit -q --allow-empty -m nothing
