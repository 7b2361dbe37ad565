// Prints stdlib.txt: what Ruby can load without any gem, as two packages that others publish say: the files of
// Debian's library of Ruby 3.1, and the files and built-in features of the WebAssembly build of Ruby 3.3. A name of
// either is Ruby's own; the second lacks what needs an operating system, the first what came later.
//
// apt-get download libruby3.1=3.1.2-7+deb12u1
// npm install --no-save @ruby/3.3-wasm-wasi@2.10.1 @bjorn3/browser_wasi_shim
// node stdlib.mjs --modules node_modules --deb libruby3.1_3.1.2-7+deb12u1_amd64.deb > stdlib.txt
//
// The list of our explorer is not read here, and this one is not read there.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const DEB = "5b14a1054f39de3945321637d0ded2b20bbbf1d31108e39d69bfbabe3622f274";
const WASM = "@ruby/3.3-wasm-wasi";
const VERSION = "2.10.1";
const INTEGRITY =
  "sha512-jxRcChiRN/Q6Q8hAKdno6lRzhUla1dgi4EME7P2s2NcgFKGNHyRhxs13g1GtHaG2Fz3VUAwvPdl1ue/J8HoBRQ==";

const { values: options } = parseArgs({ options: { modules: { type: "string" }, deb: { type: "string" } } });
if (createHash("sha256").update(fs.readFileSync(options.deb)).digest("hex") !== DEB) {
  throw new Error("the Debian package is not the one that the list is made from");
}
const modules = path.resolve(options.modules);
const lock = JSON.parse(fs.readFileSync(path.join(modules, ".package-lock.json"), "utf8")).packages;
const found = lock[`node_modules/${WASM}`];
if (found?.version !== VERSION || found.integrity !== INTEGRITY) {
  throw new Error(`${WASM} is not the one that the list is made from`);
}

const names = new Set();
// A file of a library folder, or a feature, is required by its path there without the extension.
function add(name) {
  if (/\.(rb|so)$/.test(name)) names.add(name.replace(/\.(rb|so)$/, ""));
}

const TAR = { maxBuffer: 1 << 30 };
const archive = execFileSync("dpkg-deb", ["--fsys-tarfile", options.deb], TAR);
for (const line of execFileSync("tar", ["-t"], { ...TAR, input: archive }).toString().split("\n")) {
  const own = /^\.\/usr\/lib\/(?:[^/]+\/)?ruby\/3\.1\.0\/(.*)$/.exec(line);
  if (own) add(own[1]);
}

const load = (name) => import(pathToFileURL(path.join(modules, name)));
const { DefaultRubyVM } = await load("@ruby/wasm-wasi/dist/esm/node.js");
const wasm = await WebAssembly.compile(fs.readFileSync(path.join(modules, WASM, "dist/ruby+stdlib.wasm")));
const { vm } = await DefaultRubyVM(wasm);
const said = vm.eval(`
  require "rbconfig"
  of = %w[rubyarchdir rubylibdir].map { |name| RbConfig::CONFIG[name] }
  files = of.flat_map { |folder| Dir.glob("**/*.{rb,so}", base: folder).reject { |name| name.start_with?(RUBY_PLATFORM) } }
  [RUBY_VERSION, *files, *$LOADED_FEATURES.reject { |name| name.start_with?("/") }].join("\\n")
`);
const [version, ...features] = said.toString().split("\n");
features.forEach(add);

console.log(`# What Ruby can load without any gem, by stdlib.mjs from Debian's libruby3.1 3.1.2-7+deb12u1 and ${WASM}`);
console.log(`# ${VERSION} (Ruby ${version}).`);
console.log([...names].sort((one, other) => (one < other ? -1 : 1)).join("\n"));
process.exit(0);
