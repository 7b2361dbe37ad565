// What other tools show of files: their first and last lines, the tags of Universal Ctags, and Repomix with --compress.
//
// `baselines.js` reads one JSON object, {"root": DIR, "files": [PATH...]}, from standard input and prints one JSON object
// a line for each file: `sha256`, `lines` (how many), `head` and `tail` (whole lines, at most KEPT bytes of each end),
// `ctags` (a line for each tag, in the order of the file) and `repomix`. `ctags` and `repomix` are empty where the tool
// shows nothing, and null where it failed. The judge cuts all of them to its budgets.
//
// Bytes that are no UTF-8 are replaced by U+FFFD. Repomix sees a copy of the file in a folder of its own, so that no
// ignore file of the repository and no configuration of the user plays a part.
'use strict';

const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');

// A token of 2,000 is rarely longer than 10 bytes, so this is more than any budget has room for.
const KEPT = 32 * 1024;
// Longest time of one tool for one file, in milliseconds.
const PATIENCE = 60_000;
const MOST = 64 * 1024 * 1024;
const REPOMIX = path.join(__dirname, 'node_modules', 'repomix', 'bin', 'repomix.cjs');

/// As many whole lines of one end as fit; at least a part of the nearest one.
function end(lines, fromStart) {
  const kept = [];
  let size = 0;
  const order = fromStart ? lines : [...lines].reverse();
  for (const line of order) {
    size += Buffer.byteLength(line) + 1;
    if (size > KEPT) break;
    kept.push(line);
  }
  if (kept.length === 0 && order.length > 0) kept.push(order[0].slice(0, KEPT / 4));
  return (fromStart ? kept : kept.reverse()).join('\n');
}

function run(program, args, folder, home) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: home, TMPDIR: home };
  const said = spawnSync(program, args, { cwd: folder, env, timeout: PATIENCE, maxBuffer: MOST });
  return said.status === 0 ? said.stdout.toString('utf8') : null;
}

/// Line, kind, scope, name and signature of each tag, sorted by line.
function ctags(folder, name, home) {
  const format = '--_xformat=%n\t%K\t%s\t%N%S';
  const said = run('ctags', ['--options=NONE', '--sort=no', '-x', format, name], folder, home);
  if (said === null) return null;
  const tags = said.split('\n').map((line) => line.split('\t')).filter((parts) => parts.length >= 4);
  const texts = tags.map(([line, kind, scope, ...rest]) => {
    const owner = scope ? `${scope}.` : '';
    return [Number(line), `${line} ${kind} ${owner}${rest.join('\t')}`];
  });
  texts.sort((one, other) => one[0] - other[0] || (one[1] < other[1] ? -1 : Number(one[1] > other[1])));
  return texts.map(([, text]) => text).join('\n');
}

/// What Repomix makes of the only file of a folder, without its frame.
function repomix(folder, home) {
  const flags = ['--compress', '--stdout', '--style', 'plain', '--no-file-summary', '--no-directory-structure'];
  const plain = ['--no-security-check', '--no-gitignore', '--no-default-patterns'];
  const said = run(process.execPath, [REPOMIX, ...flags, ...plain], folder, home);
  if (said === null) return null;
  const at = said.indexOf('\nFile: ');
  return at < 0 ? '' : said.slice(at + 1);
}

function answer(root, file, scratch) {
  const bytes = fs.readFileSync(path.join(root, file));
  const lines = bytes.toString('utf8').split('\n');
  const folder = path.join(scratch, 'file');
  const home = path.join(scratch, 'home');
  for (const one of [folder, home]) {
    fs.rmSync(one, { recursive: true, force: true });
    fs.mkdirSync(one);
  }
  const name = path.basename(file);
  fs.writeFileSync(path.join(folder, name), bytes);
  return {
    file,
    sha256: crypto.createHash('sha256').update(bytes).digest('hex'),
    lines: lines.length,
    head: end(lines, true),
    tail: end(lines, false),
    ctags: ctags(folder, name, home),
    repomix: repomix(folder, home),
  };
}

function main() {
  const { root, files } = JSON.parse(fs.readFileSync(0, 'utf8'));
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'baselines-'));
  try {
    for (const file of files) process.stdout.write(`${JSON.stringify(answer(root, file, scratch))}\n`);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

main();
