// Gold of TypeScript and JavaScript: the LanguageService of the TypeScript compiler.
//
//   typescript_oracle.js list ROOT < {"files": [paths]}    names and definitions
//   typescript_oracle.js ROOT < request                    what the names at some places mean
//
// Request and answer are those of python_oracle.py.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");

const [first, second] = process.argv.slice(2);
const isList = first === "list";
const root = fs.realpathSync(isList ? second : first);
const request = JSON.parse(fs.readFileSync(0, "utf8"));
const names = request.files.map((file) => path.join(root, file));
const numbers = new Map(names.map((name, number) => [name, number]));
const texts = new Map();

function text(name) {
  if (!texts.has(name)) texts.set(name, fs.existsSync(name) ? fs.readFileSync(name, "utf8") : undefined);
  return texts.get(name);
}

// Line and column from 1, the column in characters.
function place(source, at) {
  const { line, character } = source.getLineAndCharacterOfPosition(at);
  const units = isPlain(source) ? character : [...source.text.slice(at - character, at)].length;
  return [line + 1, units + 1];
}

// Whether every character is one unit, as in almost every file; lines of bundles are long.
function isPlain(source) {
  source.isPlain ??= !/[\ud800-\udbff]/.test(source.text);
  return source.isPlain;
}

function offset(source, line, column) {
  const start = source.getPositionOfLineAndCharacter(line - 1, 0);
  if (isPlain(source)) return start + column - 1;
  let at = start;
  for (let left = column - 1; left > 0; left--) at += source.text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

function walk(source, visit) {
  const open = [source];
  while (open.length) {
    const node = open.pop();
    visit(node);
    const children = [];
    ts.forEachChild(node, (child) => void children.push(child));
    open.push(...children.reverse());
  }
}

function isFunctionOrClass(node) {
  return (
    ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node) ||
    (ts.isVariableDeclaration(node) && node.initializer &&
      (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer) || ts.isClassExpression(node.initializer)))
  );
}

function list() {
  const found = { names: [], definitions: [] };
  names.forEach((name, number) => {
    const source = ts.createSourceFile(name, text(name), ts.ScriptTarget.Latest, true);
    walk(source, (node) => {
      if (ts.isIdentifier(node) && node.text) found.names.push([number, ...place(source, node.getStart(source)), node.text]);
      const isNamed = isFunctionOrClass(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node);
      if (isNamed && node.name && ts.isIdentifier(node.name)) {
        found.definitions.push([number, ...place(source, node.name.getStart(source)), node.name.text]);
      }
    });
  });
  return found;
}

function answer() {
  const options = {
    allowJs: true, checkJs: false, noEmit: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.Preserve, types: [], allowImportingTsExtensions: true,
  };
  const library = path.dirname(ts.getDefaultLibFilePath(options));
  const isKnown = (name) => name.startsWith(root + path.sep) || name.startsWith(library);
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => names,
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => (text(name) === undefined ? undefined : ts.ScriptSnapshot.fromString(text(name))),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    // Nothing of this machine beside the corpus and the compiler's own library.
    fileExists: (name) => isKnown(name) && fs.existsSync(name) && fs.statSync(name).isFile(),
    readFile: (name) => (isKnown(name) ? text(name) : undefined),
    directoryExists: (name) => (isKnown(name) || root.startsWith(name)) && fs.existsSync(name),
    getDirectories: () => [],
  });
  const program = service.getProgram();
  const checker = program.getTypeChecker();

  function smallest(source, at) {
    let found = source;
    for (;;) {
      let inner;
      ts.forEachChild(found, (child) => {
        if (!inner && child.getStart(source) <= at && at < child.end) inner = child;
      });
      if (!inner) return found;
      found = inner;
    }
  }

  // A name that is imported from a module that is not there comes from outside, also where modules of
  // the corpus hand it on.
  function isUnresolvedImport(node) {
    let symbol = checker.getSymbolAtLocation(node);
    if (!symbol || !(symbol.flags & ts.SymbolFlags.Alias)) return false;
    const target = checker.getAliasedSymbol(symbol);
    if (target.declarations && target.declarations.length) return false;
    const seen = new Set();
    for (;;) {
      seen.add(symbol);
      const next = checker.getImmediateAliasedSymbol(symbol);
      if (!next || !next.declarations || seen.has(next) || !(next.flags & ts.SymbolFlags.Alias)) break;
      symbol = next;
    }
    const module = symbol.declarations && moduleNamed(symbol.declarations[0]);
    return Boolean(module && !module.startsWith("."));
  }

  // Where a definition has no name of its own, the word that it is exported by.
  function named(source, at) {
    const node = smallest(source, at);
    for (let up = node; up && up.getStart(source) === at; up = up.parent) {
      if (ts.isExportAssignment(up)) {
        const word = up.getChildren(source).find((child) => child.kind === ts.SyntaxKind.DefaultKeyword);
        return word ? word.getStart(source) : at;
      }
      const isTarget = ts.isPropertyAccessExpression(up) && ts.isBinaryExpression(up.parent) && up.parent.left === up;
      if (isTarget) return up.name.getStart(source);
    }
    return at;
  }

  // What a property with the name of its value stands for, where that is imported.
  function valuesOf(node) {
    const property = node.parent;
    if (!property || !ts.isShorthandPropertyAssignment(property)) return [];
    const symbol = checker.getShorthandAssignmentValueSymbol(property);
    if (!symbol || !(symbol.flags & ts.SymbolFlags.Alias)) return [];
    return (checker.getAliasedSymbol(symbol).declarations || []).flatMap((declaration) => {
      const source = declaration.getSourceFile();
      const number = numbers.get(source.fileName);
      const name = ts.getNameOfDeclaration(declaration);
      const at = name ? name.getStart(source) : named(source, declaration.getStart(source));
      return number === undefined ? [] : [[number, ...place(source, at)]];
    });
  }

  // The module that an import, a re-export or a call of require names.
  function moduleNamed(at) {
    while (at && !ts.isImportDeclaration(at) && !ts.isExportDeclaration(at) && !ts.isVariableDeclaration(at)) at = at.parent;
    if (!at || !ts.isVariableDeclaration(at)) return at && at.moduleSpecifier && at.moduleSpecifier.text;
    let value = at.initializer;
    while (value && ts.isPropertyAccessExpression(value)) value = value.expression;
    return value && ts.isRequireCall(value, true) ? value.arguments[0].text : undefined;
  }

  // The file of a module that a name stands for as a whole: one more hop of the same chain.
  function modulesOf(node) {
    const symbol = checker.getSymbolAtLocation(node);
    if (!symbol || !(symbol.flags & ts.SymbolFlags.Alias)) return [];
    const files = (checker.getAliasedSymbol(symbol).declarations || []).filter(ts.isSourceFile);
    return files.map((source) => numbers.get(source.fileName)).filter((number) => number !== undefined).map((number) => [number, 1, 1]);
  }

  function row([file, line, column]) {
    const source = program.getSourceFile(names[file]);
    const at = offset(source, line, column);
    const node = smallest(source, at);
    const found = (service.getDefinitionAtPosition(names[file], at) || []).map((one) => {
      const number = numbers.get(one.fileName);
      if (number === undefined) return [-1, 0, 0];
      const target = program.getSourceFile(one.fileName);
      return [number, ...place(target, named(target, one.textSpan.start))];
    });
    found.push(...modulesOf(node), ...valuesOf(node));
    const inside = found.filter(([number]) => number >= 0);
    if (isUnresolvedImport(node)) return { targets: [], stratum: "external" };
    if (!found.length) return null;
    if (!inside.length) return { targets: [], stratum: "external" };
    return { targets: inside, stratum: stratum(file, node, inside) };
  }

  function stratum(file, node, targets) {
    for (let at = node.parent; at; at = at.parent) {
      if (ts.isImportDeclaration(at) || ts.isExportDeclaration(at)) return "import";
    }
    const parent = node.parent;
    const isMember =
      (ts.isPropertyAccessExpression(parent) && parent.name === node) || (ts.isQualifiedName(parent) && parent.right === node) ||
      ((ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) && (parent.name === node || parent.propertyName === node) && !(ts.isBindingElement(parent) && parent.name === node && !parent.propertyName));
    if (isMember) return "member";
    if (targets.some(([, line, column]) => line === 1 && column === 1)) return "import";
    const [number, line, column] = targets[0];
    const source = program.getSourceFile(names[number]);
    const target = smallest(source, offset(source, line, column));
    if (target.parent && isFunctionOrClass(target.parent)) return "function_class";
    return number === file ? "local" : "import";
  }

  return {
    answers: request.places.map((place) => {
      try {
        return row(place);
      } catch {
        return null;
      }
    }),
  };
}

process.stdout.write(JSON.stringify(isList ? list() : answer()));
