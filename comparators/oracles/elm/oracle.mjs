// Symbols and imports of Elm files as elm-format's parser reads them.
//
// Usage: node oracle.mjs --root DIR
// Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.
//
// The parser's JSON has no lines for constructors and imports and no exposing list: their lines
// are looked up in the source, and visibility is not known.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const elmFormat = join(here, 'node_modules/@avh4/elm-format-linux-x64/elm-format');
const root = process.argv[2] === '--root' ? process.argv[3] : '.';

// The modules of elm/core 1.0.5.
const core = new Set([
  'Array', 'Basics', 'Bitwise', 'Char', 'Debug', 'Dict', 'List', 'Maybe', 'Platform',
  'Platform.Cmd', 'Platform.Sub', 'Process', 'Result', 'Set', 'String', 'Task', 'Tuple',
]);

const paths = readdirSync(root, { recursive: true }).filter((path) => path.endsWith('.elm'));

function category(module) {
  if (core.has(module)) return 'stdlib';
  const file = module.replaceAll('.', '/') + '.elm';
  const local = paths.some((path) => path === file || path.endsWith('/' + file));
  return local ? 'local' : 'third_party';
}

// The first line from `from` to `to` (1-based, inclusive) that fits; else `from`.
function lineOf(lines, from, to, expression) {
  for (let line = from; line <= to; line += 1) {
    if (expression.test(lines[line - 1] ?? '')) return line;
  }
  return from;
}

function escaped(name) {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function names(exposing) {
  if (exposing === null || typeof exposing !== 'object') return exposing ? ['*'] : [];
  return [...Object.keys(exposing.types ?? {}), ...Object.keys(exposing.values ?? {})];
}

function labels(tree, lines) {
  const symbols = [];
  for (const node of tree.body) {
    const kind = { Definition: 'function', CustomType: 'type', TypeAlias: 'alias' }[node.tag];
    if (kind === undefined || typeof node.name !== 'string') continue;
    const line = node.sourceLocation.start.line;
    const end = node.sourceLocation.end.line;
    symbols.push({ name: node.name, kind, line, decl_line: line, end_line: end, parent: null });
    for (const variant of node.variants ?? []) {
      const at = lineOf(lines, line, end, new RegExp(`[=|]\\s*${escaped(variant.name)}\\b`));
      symbols.push({
        name: variant.name, kind: 'constructor', line: at, decl_line: at, end_line: at, parent: node.name,
      });
    }
  }
  const imports = Object.entries(tree.imports ?? {}).map(([path, what]) => ({
    path,
    names: names(what.exposing),
    category: category(path),
    line: lineOf(lines, 1, lines.length, new RegExp(`^import\\s+${escaped(path)}(?![\\w.])`)),
  }));
  return { symbols, imports };
}

for await (const file of createInterface({ input: process.stdin })) {
  if (file === '') continue;
  const answer = { file, language: 'elm', oracle: 'elm-format --json 0.8.8', parse_errors: 0, error: null, symbols: [], imports: [] };
  const path = join(root, file);
  try {
    const printed = execFileSync(elmFormat, ['--json', path], {
      encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'],
    });
    Object.assign(answer, labels(JSON.parse(printed), readFileSync(path, 'utf8').split('\n')));
  } catch (error) {
    if (error.code === 'ENOENT') answer.error = String(error.message);
    else answer.parse_errors = 1;
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
