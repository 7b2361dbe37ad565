// Gold labels of Ruby files from prism, the parser of Ruby itself.
//
// node oracle.mjs --modules DIR --root DIR < paths > labels: reads file paths relative to the root,
// one a line, and prints one JSON object a line.

import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: { modules: { type: "string" }, root: { type: "string" } },
});
const here = path.dirname(fileURLToPath(import.meta.url));
const prism = path.join(path.resolve(options.modules), "@ruby/prism");
const { version } = JSON.parse(fs.readFileSync(path.join(prism, "package.json"), "utf8"));
const { loadPrism } = await import(pathToFileURL(path.join(prism, "src/index.js")));
const parse = await loadPrism();

const ORACLE = `@ruby/prism ${version}`;
const STDLIB = new Set(
  fs.readFileSync(path.join(here, "stdlib.txt"), "utf8").split("\n").filter((name) => name && !name.startsWith("#")),
);
const ACCESSORS = { attr_reader: "getter", attr_writer: "setter", attr_accessor: "accessor" };
const VISIBILITIES = ["public", "protected", "private"];

// The list has every file that Ruby can load, so that a path below one of them, such as `json/schema`, is not Ruby's.
function isStandard(module) {
  return STDLIB.has(module.replace(/\.(rb|so)$/, ""));
}

// A module is local if the folders that tools put on the load path, of the file's own gem or of
// one around it, have it.
function isLocal(root, file, module) {
  const name = /\.rb$/.test(module) ? module : `${module}.rb`;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (["lib", "test", "spec", "."].some((part) => fs.existsSync(path.join(root, folder, part, name)))) {
      return true;
    }
    if (folder === ".") return false;
  }
}

class File {
  constructor(root, name) {
    this.root = root;
    this.name = name;
    this.symbols = [];
    this.imports = [];
    const source = fs.readFileSync(path.join(root, name), "utf8");
    const bytes = Buffer.from(source);
    this.starts = [0];
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) this.starts.push(at + 1);
    const result = parse(source);
    this.errors = result.errors.length;
    this.walk(result.value, null, { visibility: "public" });
  }

  line(offset) {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  first(location) {
    return this.line(location.startOffset);
  }

  add(kind, name, at, node, parent, visibility) {
    const symbol = {
      name,
      kind,
      line: this.first(at),
      decl_line: this.first(node.location),
      end_line: this.line(node.location.startOffset + node.location.length - 1),
      parent,
      visibility: visibility ?? null,
      exported: visibility === undefined || visibility === "public",
    };
    this.symbols.push(symbol);
    return symbol;
  }

  // `state` belongs to one class body or block: the visibility that the next definition gets,
  // whether definitions are singleton ones, and whether it is the inside of a method, where only
  // imports count.
  walk(node, parent, state) {
    if (!node) return;
    switch (node.constructor.name) {
      case "ClassNode":
      case "ModuleNode":
        return this.type(node, parent, state);
      case "SingletonClassNode":
        return this.walk(node.body, parent, { ...state, visibility: "public", only: undefined, singleton: true });
      case "DefNode":
        return this.method(node, parent, state);
      case "ConstantWriteNode":
        if (!state.local) this.add("constant", node.name, node.nameLoc, node, parent);
        break;
      case "CallNode":
        if (this.call(node, parent, state)) return;
        break;
      case "BlockNode":
        state = { ...state, only: undefined };
        break;
    }
    for (const child of node.compactChildNodes()) this.walk(child, parent, state);
  }

  type(node, parent, state) {
    const name = constant(node.constantPath);
    if (!state.local) {
      const kind = node.constructor.name === "ClassNode" ? "class" : "module";
      this.add(kind, name, node.constantPath.location, node, parent);
    }
    this.walk(node.superclass, parent, { ...state, only: undefined });
    const inside = { visibility: "public", local: state.local };
    this.walk(node.body, parent ? `${parent}::${name}` : name, inside);
  }

  method(node, parent, state) {
    if (!state.local) {
      const singleton = Boolean(node.receiver) || state.singleton;
      const kind = singleton ? "singleton_method" : parent ? "method" : "function";
      const own = state.only ?? state.visibility;
      const hidden = state.only_singleton;
      const visibility = hidden ?? (node.receiver ? "public" : own);
      this.add(kind, node.name, node.nameLoc, node, parent, visibility);
    }
    this.walk(node.body, parent, { visibility: "public", local: true });
  }

  // True if the call's children were seen to.
  call(node, parent, state) {
    if (node.receiver) {
      const defines = ["new", "define"].includes(node.name) && node.block?.constructor.name === "BlockNode";
      if (defines && ["Class", "Module", "Struct", "Data"].includes(constant(node.receiver))) {
        this.walk(node.arguments_, parent, state);
        this.walk(node.block, parent, { ...state, visibility: "public", singleton: false });
        return true;
      }
      return false;
    }
    const given = node.arguments_?.arguments_ ?? [];
    if (["require", "require_relative", "load", "autoload"].includes(node.name)) this.import(node, given);
    if (state.local) return false;
    if (VISIBILITIES.includes(node.name)) {
      if (given.length === 0 && !node.block) state.visibility = node.name;
      else this.restrict(node.name, given, parent, { ...state, only: node.name }, Boolean(state.singleton));
      return true;
    }
    if (node.name === "private_class_method") {
      this.restrict("private", given, parent, { ...state, only_singleton: "private" }, true);
      return true;
    }
    if (node.name === "private_constant") {
      for (const name of given.map((each) => literal(each))) {
        for (const symbol of this.symbols) {
          const value = ["constant", "class", "module"].includes(symbol.kind);
          if (value && symbol.parent === parent && symbol.name === name) {
            symbol.visibility = "private";
            symbol.exported = false;
          }
        }
      }
    }
    if (ACCESSORS[node.name]) {
      for (const argument of given) {
        const name = literal(argument);
        const visibility = state.only ?? state.visibility;
        if (name) this.add(ACCESSORS[node.name], name, argument.location, argument, parent, visibility);
      }
    }
    return false;
  }

  // `private` with arguments: names of methods that exist, or definitions.
  restrict(visibility, given, parent, state, singleton) {
    for (const argument of given) {
      const list = argument.constructor.name === "SplatNode" ? argument.expression : argument;
      const names = list?.constructor.name === "ArrayNode" ? list.elements : [argument];
      for (const name of names.map((each) => literal(each))) {
        for (const symbol of name ? this.symbols : []) {
          const own = symbol.parent === parent && symbol.visibility !== null;
          const called = symbol.kind === "setter" ? `${symbol.name}=` : symbol.name;
          if (own && called === name && (symbol.kind === "singleton_method") === singleton) {
            symbol.visibility = visibility;
            symbol.exported = visibility === "public";
          }
        }
      }
      this.walk(argument, parent, state);
    }
  }

  import(node, given) {
    const module = given.length ? literal(given[given.length - 1], "StringNode") : null;
    if (!module) return;
    let category = "third_party";
    if (node.name === "require_relative" || /^\.\.?\//.test(module) || isLocal(this.root, this.name, module)) {
      category = "local";
    } else if (isStandard(module)) category = "stdlib";
    const names = node.name === "autoload" && given.length === 2 ? [literal(given[0])].filter(Boolean) : [];
    this.imports.push({ path: module, names, category, line: this.first(node.location) });
  }
}

// The text of a symbol or a string without interpolation, or null.
function literal(node, only) {
  const type = node.constructor.name;
  return (type === "SymbolNode" && !only) || type === "StringNode" ? node.unescaped.value : null;
}

// A constant as it is written: `A`, `A::B`, `::A`.
function constant(node) {
  switch (node?.constructor.name) {
    case "ConstantReadNode":
      return node.name;
    case "ConstantPathNode":
      return `${constant(node.parent)}::${node.name}`;
    default:
      return "";
  }
}

for await (const name of readline.createInterface({ input: process.stdin })) {
  if (!name) continue;
  const labels = { file: name, language: "ruby", oracle: ORACLE, parse_errors: 0, error: null, symbols: [], imports: [] };
  try {
    const file = new File(options.root, name);
    Object.assign(labels, { parse_errors: file.errors, symbols: file.symbols, imports: file.imports });
  } catch (error) {
    labels.error = String(error.message);
  }
  console.log(JSON.stringify(labels));
}
