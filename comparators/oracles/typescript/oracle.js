// Gold symbols and imports of JavaScript and TypeScript files, as the TypeScript compiler parses
// them.
//
// `oracle.js --root DIR` reads file names relative to DIR from standard input, one a line, and
// prints one JSON object a line. `parse_errors` counts the parser's diagnostics; a file with any
// is no gold. The compiler is found in `node_modules` next to this file.
//
// Symbols are classes, interfaces, type aliases, enums, namespaces and functions with all their
// members at any depth, methods and accessors of object literals, properties of type literals,
// and the variables of the file's own statements. A declaration at the top is exported if it says
// so or if a list, a default or CommonJS names it; a member is if its owner is and it is not
// private.
'use strict';

const fs = require('fs');
const path = require('path');
const { builtinModules } = require('module');
const ts = require('typescript');

const BUILTIN = new Set(builtinModules);

const KINDS = {
  ClassDeclaration: 'class',
  InterfaceDeclaration: 'interface',
  TypeAliasDeclaration: 'type',
  EnumDeclaration: 'enum',
  ModuleDeclaration: 'namespace',
  FunctionDeclaration: 'function',
  MethodDeclaration: 'method',
  MethodSignature: 'method',
  GetAccessor: 'getter',
  SetAccessor: 'setter',
  Constructor: 'constructor',
  PropertyDeclaration: 'property',
  PropertySignature: 'property',
  EnumMember: 'enum_member',
};

const LANGUAGES = {
  '.js': ['javascript', ts.ScriptKind.JS],
  '.mjs': ['javascript', ts.ScriptKind.JS],
  '.cjs': ['javascript', ts.ScriptKind.JS],
  '.jsx': ['javascript', ts.ScriptKind.JSX],
  '.ts': ['typescript', ts.ScriptKind.TS],
  '.mts': ['typescript', ts.ScriptKind.TS],
  '.cts': ['typescript', ts.ScriptKind.TS],
  '.tsx': ['tsx', ts.ScriptKind.TSX],
};

function category(module) {
  if (module.startsWith('.') || module.startsWith('/')) return 'local';
  const builtin = BUILTIN.has(module) || BUILTIN.has(module.split('/')[0]);
  return builtin || module.startsWith('node:') ? 'stdlib' : 'third_party';
}

// The local names that a file exports by a list, a default or CommonJS.
function exportedNames(file, commonjs) {
  const names = new Set();
  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement)) {
      const list = statement.exportClause;
      if (list && ts.isNamedExports(list) && !statement.moduleSpecifier) {
        for (const one of list.elements) names.add((one.propertyName || one.name).text);
      }
    } else if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression)) {
      names.add(statement.expression.text);
    } else if (commonjs && ts.isExpressionStatement(statement)) {
      commonJsNames(statement.expression, names);
    }
  }
  return names;
}

// `module.exports = f`, `exports.f = f`, `module.exports = { f, g: h }` and chains of them.
function commonJsNames(expression, names) {
  let exported = false;
  while (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind === ts.SyntaxKind.EqualsToken
  ) {
    exported = exported || isCommonJsExports(expression.left);
    expression = expression.right;
  }
  if (!exported) return;
  if (ts.isIdentifier(expression)) names.add(expression.text);
  if (!ts.isObjectLiteralExpression(expression)) return;
  for (const property of expression.properties) {
    if (ts.isShorthandPropertyAssignment(property)) names.add(property.name.text);
    if (ts.isPropertyAssignment(property) && ts.isIdentifier(property.initializer)) {
      names.add(property.initializer.text);
    }
  }
}

function isCommonJsExports(node) {
  const isExports = (one) =>
    (ts.isIdentifier(one) && one.text === 'exports') ||
    (ts.isPropertyAccessExpression(one) &&
      ts.isIdentifier(one.expression) &&
      one.expression.text === 'module' &&
      one.name.text === 'exports');
  return isExports(node) || (ts.isPropertyAccessExpression(node) && isExports(node.expression));
}

class Reader {
  constructor(file, commonjs) {
    this.file = file;
    this.exported = exportedNames(file, commonjs);
    this.symbols = [];
    this.imports = [];
    // A stack instead of recursion: generated files nest deeply.
    this.pending = [{ node: file, parent: null, top: false, open: true }];
    while (this.pending.length > 0) {
      const next = this.pending.pop();
      this.look(next.node, next.parent, next.top, next.open);
    }
    this.symbols.sort((a, b) => a.line - b.line);
    this.imports.sort((a, b) => a.line - b.line);
  }

  line(position) {
    return this.file.getLineAndCharacterOfPosition(position).line + 1;
  }

  below(node, parent, top, open) {
    ts.forEachChild(node, (child) => {
      this.pending.push({ node: child, parent, top, open });
    });
  }

  // `top`: a statement of the file itself; `open`: the owner is exported.
  look(node, parent, top, open) {
    const kind = KINDS[ts.SyntaxKind[node.kind]];
    if (kind) {
      this.declaration(node, kind, parent, top, open);
    } else if (ts.isVariableStatement(node) && parent === null) {
      this.variables(node, top);
    } else {
      this.imported(node);
      this.below(node, parent, ts.isSourceFile(node), open);
    }
  }

  declaration(node, kind, parent, top, open) {
    const name = node.name
      ? node.name.getText(this.file)
      : kind === 'constructor'
        ? 'constructor'
        : 'default';
    const has = (word) => modifiers(node).includes(word);
    const closed =
      has(ts.SyntaxKind.PrivateKeyword) ||
      has(ts.SyntaxKind.ProtectedKeyword) ||
      name.startsWith('#');
    const named = has(ts.SyntaxKind.ExportKeyword) || this.exported.has(name);
    const exported = parent === null ? named : open && !closed;
    this.symbols.push({
      name,
      kind,
      line: this.line(node.name ? node.name.getStart(this.file) : node.getStart(this.file)),
      decl_line: this.line(node.getStart(this.file)),
      end_line: this.line(node.end),
      parent,
      visibility: visibility(node, name, has),
      exported: exported && (parent !== null || top),
    });
    this.below(node, parent === null ? name : `${parent}.${name}`, false, exported);
  }

  variables(statement, top) {
    const exported = modifiers(statement).includes(ts.SyntaxKind.ExportKeyword);
    for (const one of statement.declarationList.declarations) {
      const value = one.initializer;
      if (top && ts.isIdentifier(one.name)) {
        const callable = value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
        this.symbols.push({
          name: one.name.text,
          kind: callable ? 'function' : 'variable',
          line: this.line(one.name.getStart(this.file)),
          decl_line: this.line(statement.getStart(this.file)),
          end_line: this.line(one.end),
          parent: null,
          visibility: null,
          exported: exported || this.exported.has(one.name.text),
        });
      }
      if (value) {
        const parent = one.name.getText(this.file);
        this.pending.push({ node: value, parent, top: false, open: false });
      }
    }
  }

  imported(node) {
    if (ts.isImportDeclaration(node) || (ts.isExportDeclaration(node) && node.moduleSpecifier)) {
      this.module(node, node.moduleSpecifier, names(node));
    } else if (
      ts.isImportEqualsDeclaration(node) &&
      ts.isExternalModuleReference(node.moduleReference) &&
      ts.isStringLiteral(node.moduleReference.expression)
    ) {
      this.module(node, node.moduleReference.expression, ['*']);
    } else if (ts.isCallExpression(node)) {
      const callee = node.expression;
      const loads =
        callee.kind === ts.SyntaxKind.ImportKeyword ||
        (ts.isIdentifier(callee) && callee.text === 'require');
      const first = node.arguments[0];
      if (loads && first && ts.isStringLiteral(first)) this.module(node, first, []);
    }
  }

  module(node, literal, taken) {
    this.imports.push({
      path: literal.text,
      names: taken,
      category: category(literal.text),
      line: this.line(node.getStart(this.file)),
    });
  }
}

function modifiers(node) {
  const list = ts.canHaveModifiers(node) ? ts.getModifiers(node) || [] : [];
  return list.map((one) => one.kind);
}

// Members of classes have a visibility; nothing else has.
function visibility(node, name, has) {
  if (!node.parent || !ts.isClassLike(node.parent)) return null;
  if (name.startsWith('#') || has(ts.SyntaxKind.PrivateKeyword)) return 'private';
  return has(ts.SyntaxKind.ProtectedKeyword) ? 'protected' : 'public';
}

// The names that an import or a re-export takes, as they are called in the module.
function names(node) {
  const original = (list) => list.elements.map((one) => (one.propertyName || one.name).text);
  if (ts.isExportDeclaration(node)) {
    const clause = node.exportClause;
    return clause && ts.isNamedExports(clause) ? original(clause) : ['*'];
  }
  const clause = node.importClause;
  if (!clause) return [];
  const taken = clause.name ? ['default'] : [];
  const bindings = clause.namedBindings;
  if (!bindings) return taken;
  return taken.concat(ts.isNamedImports(bindings) ? original(bindings) : ['*']);
}

function explore(root, name) {
  const [language, kind] = LANGUAGES[path.extname(name)] || LANGUAGES['.ts'];
  const gold = {
    file: name,
    language,
    oracle: `typescript ${ts.version}`,
    parse_errors: 0,
    error: null,
    symbols: [],
    imports: [],
  };
  try {
    const source = fs.readFileSync(path.join(root, name), 'utf8').replace(/^\uFEFF/, '');
    const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, kind);
    gold.parse_errors = file.parseDiagnostics.length;
    if (gold.parse_errors > 0) {
      gold.error = ts.flattenDiagnosticMessageText(file.parseDiagnostics[0].messageText, ' ');
      return gold;
    }
    const reader = new Reader(file, language === 'javascript');
    gold.symbols = reader.symbols;
    gold.imports = reader.imports;
  } catch (error) {
    gold.parse_errors = 1;
    gold.error = String(error.message || error);
  }
  return gold;
}

function main() {
  const place = process.argv.indexOf('--root');
  const root = place > 0 ? process.argv[place + 1] : undefined;
  if (!root) {
    process.stderr.write('usage: oracle.js --root DIR < names\n');
    process.exit(2);
  }
  for (const line of fs.readFileSync(0, 'utf8').split('\n')) {
    const name = line.replace(/\r$/, '');
    if (name) process.stdout.write(JSON.stringify(explore(root, name)) + '\n');
  }
}

main();
