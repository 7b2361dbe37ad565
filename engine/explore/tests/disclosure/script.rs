//! Lists of Python, Ruby and Tcl.

use super::{Case, each};

pub const CASES: &[Case] = &[
    ("a.py", "Imports Built-in", 10, ", ...", |n| each(n, |i| format!("import os.zq{i}\n"))),
    ("a.py", "Imports Third-party", 10, ", ...", |n| each(n, |i| format!("import zq{i}\n"))),
    ("a.py", "Imports Local", 10, ", ...", |n| each(n, |i| format!("from .zq{i} import x\n"))),
    ("a.py", "Classes", 20, "... and {} more classes", |n| {
        each(n, |i| format!("class Zq{i}: pass\n"))
    }),
    ("a.py", "Functions", 20, "... and {} more functions", |n| {
        each(n, |i| format!("def zq{i}(): pass\n"))
    }),
    ("a.py", "Constants", 15, ", ...", |n| each(n, |i| format!("ZQ{i} = 1\n"))),
    ("a.py", "Global Variables", 15, ", ...", |n| each(n, |i| format!("zq{i} = 1\n"))),
    ("a.py", "Exports (__all__)", 20, ", ...", |n| {
        format!("__all__ = [{}]\n", each(n, |i| format!("'zq{i}', ")))
    }),
    ("a.rb", "Requires Standard library", 20, "... and {} more", |n| {
        each(n, |i| format!("require 'json/zq{i}'\n"))
    }),
    ("a.rb", "Requires Gems", 20, "... and {} more", |n| each(n, |i| format!("require 'zq{i}'\n"))),
    ("a.rb", "Requires Local files", 20, "... and {} more", |n| {
        each(n, |i| format!("require_relative 'zq{i}'\n"))
    }),
    ("a.rb", "Scopes", 10, ", ...", |n| {
        format!(
            "class A < ApplicationRecord\n{}end\n",
            each(n, |i| format!("scope :zq{i}, -> {{ all }}\n"))
        )
    }),
    ("a.rb", "Modules", 20, "... and {} more", |n| each(n, |i| format!("module Zq{i}; end\n"))),
    ("a.rb", "Classes", 20, "... and {} more", |n| each(n, |i| format!("class Zq{i}; end\n"))),
    ("a.rb", "Sample", 15, ", ...", |n| each(n, |i| format!("def zq{i}; end\n"))),
    ("a.rb", "Constants", 20, "... and {} more", |n| each(n, |i| format!("ZQ{i} = 1\n"))),
    ("a.rb", "Blocks/DSL describe", 5, "... and {} more", |n| {
        each(n, |i| format!("describe 'zq{i}' do end\n"))
    }),
    ("a.rb", "Blocks/DSL context", 5, "... and {} more", |n| {
        each(n, |i| format!("context 'zq{i}' do end\n"))
    }),
    ("a.rb", "Blocks/DSL feature", 5, "... and {} more", |n| {
        each(n, |i| format!("feature 'zq{i}' do end\n"))
    }),
    ("a.rb", "Blocks/DSL it", 5, "... and {} more", |n| {
        each(n, |i| format!("it 'zq{i}' do end\n"))
    }),
    ("a.rb", "Blocks/DSL hook", 5, "... and {} more", |n| {
        each(n, |i| format!("before 'zq{i}' do end\n"))
    }),
    ("a.rb", "Blocks/DSL let", 5, "... and {} more", |n| {
        each(n, |i| format!("let 'zq{i}' do end\n"))
    }),
    ("a.rb", "Blocks/DSL subject", 5, "... and {} more", |n| {
        each(n, |i| format!("subject 'zq{i}' do end\n"))
    }),
    ("a.rb", "Blocks/DSL shared", 5, "... and {} more", |n| {
        each(n, |i| format!("shared_examples 'zq{i}' do end\n"))
    }),
    ("a.rb", "Blocks/DSL task", 5, "... and {} more", |n| {
        each(n, |i| format!("task 'zq{i}' do end\n"))
    }),
    ("a.rb", "Blocks/DSL namespace", 5, "... and {} more", |n| {
        each(n, |i| format!("namespace 'zq{i}' do end\n"))
    }),
    ("a.tcl", "Required packages", 15, "... and {} more", |n| {
        each(n, |i| format!("package require zq{i}\n"))
    }),
    ("a.tcl", "Sourced files", 15, "... and {} more", |n| {
        each(n, |i| format!("source zq{i}.tcl\n"))
    }),
    ("a.tcl", "Namespaces", 15, "... and {} more", |n| {
        each(n, |i| format!("namespace eval zq{i} {{}}\n"))
    }),
    ("a.tcl", "Procedures", 15, "... and {} more", |n| {
        each(n, |i| format!("proc zq{i} {{}} {{}}\n"))
    }),
    ("a.tcl", "Classes", 15, "... and {} more", |n| {
        each(n, |i| format!("oo::class create Zq{i} {{}}\n"))
    }),
    ("a.tcl", "Variables", 15, "... and {} more", |n| each(n, |i| format!("set zq{i} 1\n"))),
    ("a.tcl", "Exported procedures", 15, "... and {} more", |n| {
        format!("namespace eval n {{\n{}}}\n", each(n, |i| format!("namespace export zq{i}\n")))
    }),
];
