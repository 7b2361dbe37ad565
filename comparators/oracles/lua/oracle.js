// Gold labels of Lua files from luaparse.
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
const parser = installed("luaparse");
const ORACLE = `luaparse ${parser.version}`;
// The newest dialects that the parser knows; a file needs to be valid in one of them.
const DIALECTS = ["LuaJIT", "5.3"];
// The libraries of Lua 5.1 to 5.4 and of LuaJIT, as their manuals name them.
const STDLIB = new Set(
  "_G package coroutine debug io math os string table utf8 bit32 bit ffi jit jit.util jit.opt jit.profile jit.v jit.p jit.zone string.buffer table.new table.clear table.isempty table.isarray table.nkeys table.clone thread.exdata".split(" "),
);
// Folders that packages keep their modules in, seen from the package's root.
const FOLDERS = ["", "lib", "src", "lua"];

function isLocal(file, module) {
  const name = module.replace(/\./g, "/");
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    for (const part of FOLDERS) {
      const base = path.join(options.root, folder, part, name);
      if (fs.existsSync(`${base}.lua`) || fs.existsSync(path.join(base, "init.lua"))) return true;
    }
    if (folder === ".") return false;
  }
}

// What is assigned to, as its own name, its parent and whether it is a method. A computed key is
// named as it is written, in its brackets: a function has it, whatever it is called at run time.
function placed(node, source) {
  const written = (part) => Buffer.from(source.slice(...part.range), "latin1").toString().replace(/\s+/g, "");
  if (node.type === "Identifier") return { name: node.name, parent: null, method: false };
  const parent = written(node.base);
  if (node.type === "IndexExpression") return { name: `[${written(node.index)}]`, parent, method: false };
  return { name: node.identifier.name, parent, method: node.indexer === ":" || parent.includes(":") };
}

class File {
  constructor(name) {
    this.name = name;
    this.symbols = [];
    this.imports = [];
    // The program's bytes, one a character: what is cut out of it is decoded then.
    const source = fs.readFileSync(path.join(options.root, name), "latin1").replace(/^#!.*/, "");
    this.source = source;
    let tree;
    for (const luaVersion of DIALECTS) {
      try {
        tree = parser.parse(source, { locations: true, ranges: true, luaVersion, scope: false });
        break;
      } catch (error) {
        if (luaVersion === DIALECTS[DIALECTS.length - 1]) throw error;
      }
    }
    this.walk(tree.body);
  }

  add(named, place, declaration, local) {
    const { name, parent, method } = placed(named, this.source);
    this.symbols.push({
      name,
      kind: method ? "method" : "function",
      line: place.loc.start.line,
      decl_line: declaration.loc.start.line,
      end_line: declaration.loc.end.line,
      parent,
      visibility: null,
      exported: !local,
    });
  }

  walk(node) {
    if (Array.isArray(node)) {
      for (const child of node) this.walk(child);
      return;
    }
    if (!node || typeof node !== "object") return;
    if (node.type === "FunctionDeclaration" && node.identifier) {
      this.add(node.identifier, node.identifier, node, node.isLocal);
    } else if (node.type === "AssignmentStatement" || node.type === "LocalStatement") {
      node.init.forEach((value, index) => {
        const variable = node.variables[index];
        if (value.type === "FunctionDeclaration" && variable) {
          this.add(variable, variable, node, node.type === "LocalStatement");
        }
      });
    } else if (node.type === "CallExpression" || node.type === "StringCallExpression") {
      const argument = node.argument ?? node.arguments?.[0];
      if (node.base.name === "require" && argument?.type === "StringLiteral") this.import(node, argument);
    }
    for (const key in node) {
      if (key !== "loc" && typeof node[key] === "object") this.walk(node[key]);
    }
  }

  import(node, argument) {
    const module = argument.raw.replace(/^(\[=*\[|['"])|(\]=*\]|['"])$/g, "");
    let category = "third_party";
    if (STDLIB.has(module)) category = "stdlib";
    else if (isLocal(this.name, module)) category = "local";
    this.imports.push({ path: module, names: [], category, line: node.loc.start.line });
  }
}

(async () => {
  for await (const name of readline.createInterface({ input: process.stdin })) {
    if (!name) continue;
    const labels = { file: name, language: "lua", oracle: ORACLE, parse_errors: 0, error: null, symbols: [], imports: [] };
    try {
      const { symbols, imports } = new File(name);
      Object.assign(labels, { symbols, imports });
    } catch (error) {
      if (error instanceof SyntaxError) labels.parse_errors = 1;
      else labels.error = String(error.message);
    }
    console.log(JSON.stringify(labels));
  }
})();
