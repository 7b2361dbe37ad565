// Explores files with the dispatcher of a Volt checkout, and prints what it returned, one JSON object a
// line. Run by bun, which reads the TypeScript of the checkout, or by node where that is JavaScript.
//
//   bun adapter.mjs MODULE EXPORT < request.json > answers.jsonl
//
// The request is {"root": FOLDER, "files": [PATH]}; paths are relative to the folder. No model is handed
// to an explorer: one that asks for a model fails, and its error is its answer.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modulePath, exported] = process.argv.slice(2);
if (!modulePath || !exported) {
  console.error("usage: adapter.mjs MODULE EXPORT");
  process.exit(2);
}

// What an explorer prints would mix with the answers.
for (const name of ["log", "info", "debug"]) console[name] = console.error;

const model = new Proxy(
  {},
  {
    get(_, property) {
      // A promise looks for this; everything else is a use of the model.
      if (property === "then") return undefined;
      throw new Error("a model was asked for; there is none");
    },
  },
);

const { root, files } = JSON.parse(readFileSync(0, "utf8"));
const dispatcher = (await import(pathToFileURL(modulePath).href))[exported];
if (typeof dispatcher?.explore !== "function") {
  console.error(`${modulePath} exports no ${exported} with a function explore`);
  process.exit(3);
}

for (const file of files) {
  let answer;
  try {
    answer = { file, result: await dispatcher.explore({ filePath: join(root, file), model }) };
  } catch (error) {
    answer = { file, error: String(error?.message ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
