// Gold labels of Solidity files from @solidity-parser/parser, which is generated from an ANTLR
// grammar.
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
const parser = installed("@solidity-parser/parser");
const ORACLE = `@solidity-parser/parser ${installed("@solidity-parser/parser/package.json").version}`;

class File {
  constructor(name) {
    this.name = name;
    this.symbols = [];
    this.imports = [];
    const tree = parser.parse(fs.readFileSync(path.join(options.root, name), "utf8"), { loc: true });
    for (const node of tree.children) this.walk(node, null);
  }

  add(node, kind, name, parent, visibility) {
    const shown = !visibility || visibility === "default" ? "public" : visibility;
    this.symbols.push({
      name,
      kind,
      line: (node.identifier ?? node).loc.start.line,
      decl_line: node.loc.start.line,
      end_line: node.loc.end.line,
      parent,
      visibility: shown,
      exported: shown === "public" || shown === "external",
    });
  }

  walk(node, parent) {
    switch (node.type) {
      case "ImportDirective":
        return this.import(node);
      case "ContractDefinition":
        this.add(node, node.kind === "abstract" ? "contract" : node.kind, node.name, parent);
        for (const part of node.subNodes) this.walk(part, node.name);
        return;
      case "FunctionDefinition":
        return this.function(node, parent);
      case "ModifierDefinition":
        return this.add(node, "modifier", node.name, parent, "internal");
      case "EventDefinition":
        return this.add(node, "event", node.name, parent);
      case "CustomErrorDefinition":
        return this.add(node, "error", node.name, parent);
      case "StructDefinition": {
        this.add(node, "struct", node.name, parent);
        const inside = parent ? `${parent}.${node.name}` : node.name;
        for (const member of node.members) this.add(member, "field", member.name, inside);
        return;
      }
      case "EnumDefinition":
        return this.add(node, "enum", node.name, parent);
      case "StateVariableDeclaration":
        for (const variable of node.variables) {
          const visibility = variable.visibility === "default" ? "internal" : variable.visibility;
          this.add(variable, "variable", variable.name, parent, visibility);
        }
        return;
      case "TypeDefinition":
        return this.add(node, "type", node.name, parent);
      case "FileLevelConstant":
        return this.add(node, "constant", node.name, parent);
    }
  }

  function(node, parent) {
    if (node.isConstructor) return this.add(node, "constructor", "constructor", parent, node.visibility);
    const name = node.name || (node.isReceiveEther ? "receive" : "fallback");
    return this.add(node, parent ? "method" : "function", name, parent, node.visibility);
  }

  // A relative path, or one that exists below the root, is local; everything else is installed.
  import(node) {
    const relative = node.path.startsWith("./") || node.path.startsWith("../");
    const below = fs.existsSync(path.join(options.root, node.path));
    const names = (node.symbolAliases ?? []).map(([name]) => name);
    this.imports.push({
      path: node.path,
      names: names.length ? names : ["*"],
      category: relative || below ? "local" : "third_party",
      line: node.loc.start.line,
    });
  }
}

(async () => {
  for await (const name of readline.createInterface({ input: process.stdin })) {
    if (!name) continue;
    const labels = { file: name, language: "solidity", oracle: ORACLE, parse_errors: 0, error: null, symbols: [], imports: [] };
    try {
      const { symbols, imports } = new File(name);
      Object.assign(labels, { symbols, imports });
    } catch (error) {
      if (error instanceof parser.ParserError) labels.parse_errors = error.errors.length;
      else labels.error = String(error.message);
    }
    console.log(JSON.stringify(labels));
  }
})();
