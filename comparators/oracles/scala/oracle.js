// Gold labels for Scala: what scalameta reads in the files that are named on standard input.
//
// `node oracle.js --modules NODE_MODULES --root DIR` reads paths relative to DIR, one a line, and
// prints one JSON object a line. A file that no dialect accepts is reported so and is no gold.
'use strict';

const fs = require('fs');
const path = require('path');

const options = Object.fromEntries(
  process.argv.slice(2).reduce((pairs, word, at, all) => {
    if (at % 2 === 0) pairs.push([word, all[at + 1]]);
    return pairs;
  }, []),
);
if (!options['--root'] || !options['--modules']) {
  console.error('usage: node oracle.js --modules NODE_MODULES --root DIR < paths');
  process.exit(2);
}
const parsers = require(path.resolve(options['--modules'], 'scalameta-parsers'));

// The dialects in the order in which they are tried; the first that accepts a file is its own.
const DIALECTS = ['Scala213', 'Scala212', 'Scala211', 'Scala3'];

const KINDS = {
  'Defn.Class': 'class',
  'Defn.Object': 'object',
  'Defn.Trait': 'trait',
  'Defn.Enum': 'enum',
  'Pkg.Object': 'object',
  'Defn.Def': 'method',
  'Decl.Def': 'method',
  'Defn.Val': 'constant',
  'Decl.Val': 'constant',
  'Defn.Var': 'variable',
  'Decl.Var': 'variable',
  'Defn.Type': 'type',
  'Decl.Type': 'type',
};
const OWNERS = new Set(['class', 'object', 'trait', 'enum']);

// Packages of the library, by the names under which they are in sight everywhere: the members of
// `scala` need no prefix.
const STDLIB = new Set([
  'scala', 'java', 'javax', 'annotation', 'beans', 'collection', 'compat', 'concurrent', 'io',
  'jdk', 'language', 'languageFeature', 'math', 'ref', 'reflect', 'runtime', 'sys', 'util',
]);

/** A function from a place in a text to its 1-based line. */
function lines(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (place) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= place) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** The names that a pattern binds. */
function bound(pattern) {
  const names = [];
  const open = [pattern];
  while (open.length > 0) {
    const node = open.pop();
    if (Array.isArray(node)) open.push(...node.slice().reverse());
    else if (node && typeof node === 'object') {
      if (node.type === 'Pat.Var') names.push(node.name);
      else open.push(...Object.values(node).reverse());
    }
  }
  return names;
}

function visibility(mods) {
  const types = (mods || []).map((mod) => mod.type);
  if (types.includes('Mod.Private')) return 'private';
  return types.includes('Mod.Protected') ? 'protected' : 'public';
}

/** The names that an importer takes; `*` for all. */
function taken(importees) {
  return importees.map((importee) => {
    if (importee.type === 'Importee.Wildcard') return '*';
    if (importee.type === 'Importee.GivenAll' || importee.type === 'Importee.Given') return 'given';
    return importee.name.value;
  });
}

class Labels {
  constructor(text) {
    this.text = text;
    this.line = lines(text);
    this.symbols = [];
    this.imports = [];
    this.packages = [];
  }

  /** Visits a tree; `local` is what stands in the body of a definition that is no type. */
  visit(node, parent, local) {
    if (Array.isArray(node)) {
      for (const part of node) this.visit(part, parent, local);
      return;
    }
    if (!node || typeof node !== 'object') return;
    if (node.type === 'Pkg') this.packages.push(this.plain(node.ref));
    if (node.type === 'Import') this.import(node);
    let inside = parent;
    const kind = KINDS[node.type];
    if (kind && !local) {
      const names = node.name ? [node.name] : bound(node.pats);
      for (const name of names) this.symbol(node, name, kind, parent);
      local = !OWNERS.has(kind);
      if (!local) inside = (parent ? `${parent}.` : '') + node.name.value;
    }
    for (const [key, part] of Object.entries(node)) {
      if (key !== 'pos' && typeof part === 'object') this.visit(part, inside, local);
    }
  }

  symbol(node, name, kind, parent) {
    const visible = visibility(node.mods);
    this.symbols.push({
      name: name.value,
      kind,
      line: this.line(name.pos.start),
      decl_line: this.line(node.pos.start),
      end_line: this.line(Math.max(node.pos.end - 1, node.pos.start)),
      parent,
      visibility: visible,
      exported: visible === 'public',
    });
  }

  plain(node) {
    return this.text.slice(node.pos.start, node.pos.end).replace(/\s+/g, '');
  }

  import(node) {
    for (const importer of node.importers) {
      this.imports.push({
        path: this.plain(importer.ref),
        names: taken(importer.importees),
        line: this.line(node.pos.start),
      });
    }
  }

  /**
   * By the first part of the path: the library; what the file declares, and what shares the first
   * two parts of its package, is local; the rest is installed.
   */
  categorised() {
    const declared = new Set(this.symbols.map((symbol) => symbol.name));
    const own = this.packages.join('.').split('.').slice(0, 2).join('.');
    return this.imports.map((found) => {
      const whole = found.path.replace(/^_root_\./, '');
      const head = whole.split('.')[0];
      let category = 'third_party';
      if (head === 'this' || head === 'super' || declared.has(head)) category = 'local';
      else if (own && `${whole}.`.startsWith(`${own}.`)) category = 'local';
      else if (STDLIB.has(head)) category = 'stdlib';
      return { path: found.path, names: found.names, category, line: found.line };
    });
  }
}

function label(file) {
  const found = {
    file, language: 'scala', oracle: 'scalameta-parsers 4.14.2',
    parse_errors: 0, error: null, symbols: [], imports: [],
  };
  try {
    const bytes = fs.readFileSync(path.join(options['--root'], file));
    const text = bytes.toString('utf8').replace(/^\ufeff/, '');
    let tree;
    for (const dialect of DIALECTS) {
      tree = parsers.parseSource(text, parsers[dialect] || dialect);
      if (!tree.error) break;
    }
    if (tree.error) {
      found.parse_errors = 1;
      found.error = String(tree.error).split('\n')[0];
      return found;
    }
    const labels = new Labels(text);
    labels.visit(tree, null, false);
    found.symbols = labels.symbols;
    found.imports = labels.categorised();
  } catch (thrown) {
    found.error = String(thrown).split('\n')[0];
  }
  return found;
}

for (const file of fs.readFileSync(0, 'utf8').split('\n')) {
  if (file) process.stdout.write(`${JSON.stringify(label(file))}\n`);
}
