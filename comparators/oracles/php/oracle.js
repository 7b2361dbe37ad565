// Gold labels of PHP files from php-parser, which is written by hand and shares nothing with the
// grammar under test.
//
// node oracle.js --modules DIR --root DIR < paths > labels: reads file paths relative to the root,
// one a line, and prints one JSON object a line.

"use strict";

const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");
const { createRequire } = require("node:module");
const { parseArgs } = require("node:util");

const { values: options } = parseArgs({
  options: { modules: { type: "string" }, root: { type: "string" } },
});
const installed = createRequire(path.join(path.resolve(options.modules), "here.js"));
const Engine = installed("php-parser");
const ORACLE = `php-parser ${installed("php-parser/package.json").version}`;
const PHP_VERSION = 803;
const STDLIB = new Set(
  fs
    .readFileSync(path.join(__dirname, "stdlib.txt"), "utf8")
    .split("\n")
    .filter((name) => name && !name.startsWith("#"))
    .map((name) => name.toLowerCase()),
);

const engine = new Engine({
  parser: { extractDoc: false, suppressErrors: true, version: PHP_VERSION },
  ast: { withPositions: true },
});

// The namespaces that composer.json, in the file's folder or above it, maps to folders; null if
// there is none.
const composers = new Map();
function localNamespaces(file) {
  const folder = path.dirname(file);
  if (!composers.has(folder)) {
    const manifest = path.join(options.root, folder, "composer.json");
    let found = null;
    if (fs.existsSync(manifest)) {
      try {
        const composer = JSON.parse(fs.readFileSync(manifest, "utf8"));
        found = [];
        for (const section of [composer.autoload, composer["autoload-dev"]]) {
          for (const standard of ["psr-4", "psr-0"]) found.push(...Object.keys(section?.[standard] ?? {}));
        }
        found = found.map((prefix) => prefix.replace(/\\+$/, "")).filter(Boolean);
      } catch {
        found = null;
      }
    }
    if (found === null && folder !== ".") found = localNamespaces(folder);
    composers.set(folder, found);
  }
  return composers.get(folder);
}

const text = (name) => (name && typeof name === "object" ? name.name : name);

class File {
  constructor(name) {
    this.name = name;
    this.namespace = null;
    this.symbols = [];
    this.imports = [];
    this.source = fs.readFileSync(path.join(options.root, name), "utf8");
    const tree = engine.parseCode(this.source, name);
    this.errors = (tree.errors ?? []).length;
    this.walk(tree.children, null, false);
  }

  // Inside a function only imports count.
  walk(node, parent, local) {
    if (Array.isArray(node)) {
      for (const child of node) this.walk(child, parent, local);
      return;
    }
    if (!node || typeof node !== "object") return;
    switch (node.kind) {
      case "namespace":
        this.namespace ??= node.name;
        return this.walk(node.children, parent, local);
      case "usegroup":
        return this.use(node);
      case "include":
        return this.include(node);
      case "class":
      case "interface":
      case "trait":
      case "enum":
        if (!node.name || local) return this.walk(node.body, parent, local);
        this.add(node.kind, node, node, parent);
        return this.walk(node.body, parent ? `${parent}.${text(node.name)}` : text(node.name), local);
      case "function":
        if (!local) this.add("function", node, node, parent);
        return this.walk(node.body, parent, true);
      case "method": {
        const kind = text(node.name) === "__construct" ? "constructor" : "method";
        if (!local) this.add(kind, node, node, parent, node.visibility);
        return this.walk(node.body, parent, true);
      }
      case "propertystatement":
        if (!local) for (const property of node.properties) this.add("property", property, node, parent, node.visibility);
        return;
      case "classconstant":
        if (!local) for (const constant of node.constants) this.add("constant", constant, node, parent, node.visibility);
        return;
      case "constantstatement":
        if (!local) for (const constant of node.constants) this.add("constant", constant, node, parent);
        return;
      case "enumcase":
        if (!local) this.add("enum_member", node, node, parent);
        return;
    }
    for (const key in node) {
      if (key !== "loc" && typeof node[key] === "object") this.walk(node[key], parent, local);
    }
  }

  add(kind, named, declaration, parent, visibility) {
    const place = named.name?.loc ?? named.loc;
    const seen = visibility || "public";
    this.symbols.push({
      name: text(named.name),
      kind,
      line: place.start.line,
      decl_line: declaration.loc.start.line,
      end_line: declaration.loc.end.line,
      parent,
      visibility: seen,
      exported: seen === "public",
    });
  }

  use(group) {
    for (const item of group.items) {
      const module = ((group.name ? `${group.name}\\` : "") + item.name).replace(/^\\/, "");
      this.imports.push({
        path: module,
        names: [module.split("\\").pop()],
        category: this.category(module),
        line: item.loc.start.line,
      });
    }
  }

  // Built into PHP, mapped by composer.json, or, without one, below the vendor name that the
  // file's own namespace begins with.
  category(module) {
    if (STDLIB.has(module.toLowerCase())) return "stdlib";
    const prefixes = localNamespaces(this.name) ?? (this.namespace ? [String(this.namespace).split("\\")[0]] : []);
    const below = (prefix) => module === prefix || module.startsWith(`${prefix}\\`);
    if (prefixes.some(below)) return "local";
    return module.includes("\\") ? "third_party" : "unknown";
  }

  include(node) {
    const { target } = node;
    const literal = target.kind === "string" ? target.value : null;
    const start = target.loc.start.offset;
    const written = this.source.slice(start, target.loc.end.offset).replace(/\s+/g, " ").trim();
    const below = literal !== null && [path.dirname(this.name), "."].some((base) => fs.existsSync(path.join(options.root, base, literal)));
    const own = /^\(*\s*(__DIR__|dirname\s*\(\s*__(FILE|DIR)__)/i.test(written);
    this.imports.push({
      path: literal ?? written,
      names: [],
      category: own || below ? "local" : "unknown",
      line: node.loc.start.line,
    });
  }
}

(async () => {
  for await (const name of readline.createInterface({ input: process.stdin })) {
    if (!name) continue;
    const labels = { file: name, language: "php", oracle: ORACLE, parse_errors: 0, error: null, symbols: [], imports: [] };
    try {
      const file = new File(name);
      Object.assign(labels, { parse_errors: file.errors, symbols: file.symbols, imports: file.imports });
    } catch (error) {
      labels.error = String(error.message);
    }
    console.log(JSON.stringify(labels));
  }
})();
