// Prints stdlib.txt: what PHP and the extensions bundled with it declare, as a PHP that was built by others says.
//
// npm install --no-save @php-wasm/node@3.1.56 @php-wasm/universal@3.1.56 @php-wasm/node-8-3@3.1.56
// node stdlib.mjs --modules node_modules > stdlib.txt
//
// The list of our explorer is not read here, and this one is not read there.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const VERSION = "3.1.56";
const INTEGRITY = {
  "@php-wasm/node-8-3":
    "sha512-FGj6HK9zlh+3Zoh/qOSP7WS1zPWvWMW1oBVojRzedW1j5XxlbXydcypUYpAcsdlQdrVFJ3VzSqytXK4QmQwaFQ==",
};
// Extensions that are not PHP's own.
const FOREIGN = ["dns_polyfill", "imagick", "post_message_to_js", "wasm_memory_storage"];

const { values: options } = parseArgs({ options: { modules: { type: "string" } } });
const modules = path.resolve(options.modules);
const lock = JSON.parse(fs.readFileSync(path.join(modules, ".package-lock.json"), "utf8")).packages;
for (const [name, integrity] of Object.entries(INTEGRITY)) {
  const found = lock[`node_modules/${name}`];
  if (found?.version !== VERSION || found.integrity !== integrity) throw new Error(`${name} is not the one that the list is made from`);
}
const load = (name) => import(pathToFileURL(path.join(modules, "@php-wasm", name, "index.js")));
const { loadNodeRuntime } = await load("node");
const { PHP } = await load("universal");

const php = new PHP(await loadNodeRuntime("8.3", { emscriptenOptions: { processId: 1 } }));
const { text } = await php.run({
  code: `<?php
    $names = [];
    foreach (array_diff(get_loaded_extensions(), ${JSON.stringify(FOREIGN)}) as $extension) {
      if (str_contains($extension, ' ')) continue;
      $of = new ReflectionExtension($extension);
      array_push($names, ...$of->getClassNames(), ...array_keys($of->getFunctions()), ...array_keys($of->getConstants()));
    }
    echo json_encode([PHP_VERSION, array_values(array_unique($names))]);`,
});
const [version, names] = JSON.parse(text);
console.log(`# Classes, functions and constants of PHP ${version} and its extensions, by stdlib.mjs from @php-wasm/node-8-3 ${VERSION}.`);
console.log(names.sort((one, other) => (one < other ? -1 : 1)).join("\n"));
process.exit(0);
