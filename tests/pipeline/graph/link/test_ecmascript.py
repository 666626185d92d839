"""Resolution of JavaScript and TypeScript."""

from __future__ import annotations

from collections.abc import Callable

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]


def test_module_specifiers(edges: Edges) -> None:
    files = {
        "tsconfig.json": '{ // paths\n "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], }, } }',
        "package.json": '{"imports": {"#inner/*": "./src/inner/*.ts"}}',
        "packages/lib/package.json": '{"name": "@me/lib", "exports": {".": {"import": "./dist/index.js"}, '
        '"./x": "./src/x.ts"}}',
        "packages/lib/src/index.ts": "export const l = 1",
        "packages/lib/src/x.ts": "export const x = 1",
        "src/a.ts": "export const a = 1",
        "src/lib/index.ts": "export default 1",
        "src/c.ts": "export const c = 1",
        "src/d.tsx": "export default 1",
        "src/inner/e.ts": "export const e = 1",
        "src/data.json": "{}",
        "src/lazy.mts": "export {}",
        "src/main.ts": "import { a } from './a'\nimport b from './lib'\nimport { c } from './c.js'\nimport d from '@/d'\n"
        "const e = require('./data.json')\nconst f = () => import('./lazy')\nimport fs from 'node:fs'\nimport './side.css'\n"
        "import { l } from '@me/lib'\nimport { x } from '@me/lib/x'\nimport { e as g } from '#inner/e'\n",
    }
    targets = {target for source, target in edges(files, "imports") if source == "src/main.ts"}
    names = "a.ts lib/index.ts c.ts d.tsx data.json lazy.mts inner/e.ts".split()
    assert targets == {f"src/{n}" for n in names} | {"packages/lib/src/index.ts", "packages/lib/src/x.ts"}


def test_exports_aliases_defaults_and_namespaces(edges: Edges) -> None:
    files = {
        "a.ts": "function one() {}\nexport { one as uno }\nexport default function two() {}\n"
        "export class K { static make() {} }\n",
        "index.ts": "export * from './a'\nexport { uno as un } from './a'\nexport * as ns from './a'\n",
        "use.ts": "import dos from './a'\nimport { uno, un, ns, K } from './index'\n"
        "function f() { uno(); un(); ns.uno(); dos(); K.make(); new K() }\n",
    }
    found = edges(files)
    assert {k[1] for k in found if k[0] == "use.ts#f"} == {"a.ts#one", "a.ts#two", "a.ts#make", "a.ts#K"}
    assert set(edges(files, "reexports")) == {("index.ts", "a.ts")}


def test_an_import_is_not_an_export(edges: Edges) -> None:
    files = {
        "util.ts": "export function parse() {}\n",
        "a.ts": "import { parse } from './util'\nexport const x = parse\n",
        "b.ts": "export * from './a'\n",
        "c.ts": "import { parse } from './b'\nfunction f() { parse() }\n",
    }
    assert edges(files) == {}


def test_a_renamed_export_wins_over_a_local_name(edges: Edges) -> None:
    files = {
        "a.ts": "const make = () => 1\nclass S { static create() {} }\nconst stringType = S.create\n"
        "export { stringType as make }\n",
        "b.ts": "import * as z from './a'\nfunction f() { z.make() }\n",
    }
    assert edges(files) == {("b.ts#f", "a.ts#stringType"): ("import", 0.98)}


def test_names_inside_type_literals_do_not_leak(edges: Edges) -> None:
    files = {"a.ts": "export const T: { parse: string; cb: (run: number) => void } = x\nfunction f() { parse(); run() }\n"}
    assert edges(files) == {}


def test_an_arrow_function_is_the_caller_of_its_body(edges: Edges) -> None:
    text = (
        "function t() {}\nconst a = () => t()\n"
        "class C { h = () => t(); m() { return [1].map(() => t()) } }\ndescribe('x', () => { t() })\n"
    )
    assert set(edges({"a.ts": text})) == {(caller, "a.ts#t") for caller in ("a.ts#a", "a.ts#h", "a.ts#m", "a.ts")}


def test_receivers(edges: Edges) -> None:
    text = (
        "class P { go(): P { return this } }\n"
        "class A extends B<P> { private p: P = new P(); constructor(readonly q: P) { super() }\n"
        "  m() { this.p.go(); this.q.go().go(); this.#own() }\n  #own() {}\n"
        "  async later(): Promise<P> { return this.p } }\n"
        "class B<T> { base() {} }\n"
        "function typed(x: P) { x.go() }\n"
        "function made() { const a = new A(new P()); a.base() }\n"
        "async function awaited(a: A) { (await a.later()).go() }\n"
        "function cast(x: unknown) { (x as P).go() }\n"
        "function listed(xs: P[]) { for (const x of xs) x.go() }\n"
        "function taken({ p }: A) { p.go() }\n"
    )
    found = edges({"a.ts": text})
    callers = {k[0] for k in found if k[1] == "a.ts#go"}
    assert callers == {f"a.ts#{n}" for n in ("m", "typed", "awaited", "cast", "listed", "taken")}
    assert ("a.ts#made", "a.ts#base") in found
    assert ("a.ts#m", "a.ts##own") in found
    assert ("a.ts#constructor", "a.ts#B") in found


def test_interface_and_constant_of_one_name(edges: Edges) -> None:
    files = {
        "a.ts": "export interface T { run(): void }\nexport const T = make()\nexport interface U extends T {}\n",
        "b.ts": "import * as ns from './a'\nfunction f(x: ns.T) { x.run() }\n",
    }
    assert edges(files) == {("b.ts#f", "a.ts#run"): ("typed", 0.97)}
    assert edges(files, "extends") == {("a.ts#U", "a.ts#T"): ("base", 0.98)}


def test_a_wrapped_base_is_no_base(edges: Edges) -> None:
    files = {"a.ts": "interface A { x: string }\ninterface B extends Omit<A, 'x'> {}\ninterface C extends A {}\n"}
    assert set(edges(files, "extends")) == {("a.ts#C", "a.ts#A")}


def test_commonjs(edges: Edges) -> None:
    files = {
        "lib.js": "exports.one = function () {}\nfunction two() {}\nmodule.exports.two = two\n",
        "main.js": "module.exports = create\nfunction create() {}\n",
        "index.js": "module.exports = require('./main')\n",
        "use.js": "const lib = require('./lib'), { two: deux } = require('./lib'), make = require('.')\n"
        "function f() { lib.one(); deux(); make(); require('./lib').one() }\n",
    }
    assert {k[1] for k in edges(files) if k[0] == "use.js#f"} == {"lib.js#one", "lib.js#two", "main.js#create"}


def test_members_of_object_literals_are_no_free_names(edges: Edges) -> None:
    text = (
        "use({ parse() {}, run: () => {} })\nfunction f() { parse(); run() }\nconst o = { go() {}, k: f }\n"
        "function g() { o.go(); o.k() }\n"
    )
    assert set(edges({"a.js": text})) == {("a.js#g", "a.js#go"), ("a.js#g", "a.js#k")}


def test_prototype_members(edges: Edges) -> None:
    text = "function A() {}\nA.prototype.m = function () {}\nA.make = function () {}\nfunction f() { A.make(); m() }\n"
    assert set(edges({"a.js": text})) == {("a.js#f", "a.js#make")}
