"""Resolution of Ruby."""

from __future__ import annotations

from collections.abc import Callable

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]


def test_files_are_required_by_load_path_and_by_place(edges: Edges) -> None:
    files = {
        "lib/a.rb": "require 'a/b'\nrequire_relative 'a/c'\nrequire 'json'\nmodule A\n  autoload :D, 'a/d'\nend\n",
        "lib/a/b.rb": "module A; end\n",
        "lib/a/c.rb": "module A; end\n",
        "lib/a/d.rb": "module A; class D; end; end\n",
        "test/a/b.rb": "\n",
    }
    assert set(edges(files, "imports")) == {("lib/a.rb", f"lib/a/{name}.rb") for name in "bcd"}


def test_reopened_modules_are_one_and_constants_follow_the_nesting(edges: Edges) -> None:
    files = {
        "lib/a.rb": "module A\n  class B\n    def m; helper; C.make.go; end\n  end\nend\n",
        "lib/b.rb": "module A\n  class B\n    def helper; end\n  end\n"
        "  class C\n    def self.make; new; end\n    def go; end\n  end\nend\n",
        "lib/c.rb": "class C; def go; end; end\nclass A::B; def late; helper; end; end\n",
        "test/a.rb": "A::B.new.late\nA::D.new\n",
    }
    assert edges(files) == {
        ("lib/a.rb#m", "lib/b.rb#helper"): ("scope", 0.99),
        ("lib/a.rb#m", "lib/b.rb#make"): ("base", 0.98),
        ("lib/a.rb#m", "lib/b.rb#go"): ("chain", 0.95),
        ("lib/b.rb#make", "lib/b.rb#C"): ("base", 0.98),
        ("lib/c.rb#late", "lib/b.rb#helper"): ("scope", 0.99),
        ("test/a.rb", "lib/a.rb#B"): ("scope", 0.99),
        ("test/a.rb", "lib/c.rb#late"): ("typed", 0.97),
    }


def test_methods_of_the_class_and_of_its_objects_are_apart(edges: Edges) -> None:
    text = (
        "class A\n  def self.call(x); new(x).call; end\n  class << self\n    def other; call(1); end\n  end\n"
        "  def initialize(x); @b = B.new; end\n  def call; other; @b.go; end\nend\nclass B; def go; end; end\n"
        "module M\n  module_function\n  def f; g; end\n  def g; end\nend\nM.f\n"
    )
    assert set(edges({"a.rb": text})) == {
        ("a.rb#call", "a.rb#initialize"),
        ("a.rb#call", "a.rb#call"),
        ("a.rb#other", "a.rb#call"),
        ("a.rb#initialize", "a.rb#B"),
        ("a.rb#call", "a.rb#go"),
        ("a.rb#f", "a.rb#g"),
        ("a.rb", "a.rb#f"),
    }


def test_mixins_superclasses_and_super(edges: Edges) -> None:
    text = (
        "module M; def m; end; def both; end; end\nmodule K; def k; end; end\n"
        "class A; def initialize; end; def run; end; def both; end; end\n"
        "class B < A\n  include M\n  extend K\n  def run; super; m; both; end\n  def self.go; k; end\nend\n"
        "def f; B.new; end\n"
    )
    found = edges({"a.rb": text})
    run, both = ("a.rb#run", "a.rb#run"), ("a.rb#run", "a.rb#both")
    assert {run, both, ("a.rb#run", "a.rb#m"), ("a.rb#go", "a.rb#k"), ("a.rb#f", "a.rb#initialize")} == set(found)
    assert set(edges({"a.rb": text}, "extends")) == {("a.rb#B", "a.rb#A")}
    assert set(edges({"a.rb": text}, "implements")) == {("a.rb#B", "a.rb#M"), ("a.rb#B", "a.rb#K")}
    assert ("a.rb#run", "a.rb#run") in edges({"a.rb": text}, "overrides")


def test_local_variables_and_unknown_receivers_are_no_calls(edges: Edges) -> None:
    text = (
        "class A\n  attr_reader :b\n  def initialize; @b = B.new; end\n  def go; end\n"
        "  def f(go, x); go; x.go; [1].each { |y| y.go; go }; end\n  def g; b.go; go; end\n  alias h go\n  def i; h; end\nend\n"
        "class B; def go; end; end\n"
    )
    assert {k for k in edges({"a.rb": text}) if k[0] != "a.rb#initialize"} == {
        ("a.rb#g", "a.rb#b"),
        ("a.rb#g", "a.rb#go"),
        ("a.rb#i", "a.rb#h"),
    }
