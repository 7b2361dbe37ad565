// Checks documents against the JSON Schemas of hooks that the program of Codex contains. Reads lines of JSON,
// `{"schema": "session-start.command.output", "document": {…}}`, and prints for each a list of what is wrong.
//
//     node schemas.js < LINES

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import Ajv from "ajv";

const TITLE = /"title": "([a-z-]+\.command\.(?:input|output))"/g;

const packages = join(dirname(fileURLToPath(import.meta.url)), "node_modules", "@openai");
const name = readdirSync(packages).find((name) => name.startsWith("codex-linux-"));
const vendor = join(packages, name, "vendor");
const program = readFileSync(join(vendor, readdirSync(vendor)[0], "bin", "codex"), "latin1");

// A schema is an object that begins before its title, and what follows its end is another text.
function schema(title, at) {
  for (let from = at; from > at - 20_000; ) {
    from = program.lastIndexOf('{\n  "$schema"', from - 1);
    if (from < 0) break;
    for (let end = program.indexOf("\n}", at); end - from < 20_000 && end > 0; ) {
      try {
        const found = JSON.parse(program.slice(from, end + 2));
        if (found.title === title) return found;
      } catch {
        // The object ends further on.
      }
      end = program.indexOf("\n}", end + 1);
    }
  }
  throw new Error(`the schema ${title} cannot be read`);
}

const validator = new Ajv({ allErrors: true, strict: false });
const known = new Map();
for (const match of program.matchAll(TITLE)) {
  known.set(match[1], validator.compile(schema(match[1], match.index)));
}

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { schema, document } = JSON.parse(line);
  const check = known.get(schema);
  if (!check) throw new Error(`there is no schema ${schema}`);
  check(document);
  const wrong = (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  console.log(JSON.stringify(wrong));
}
