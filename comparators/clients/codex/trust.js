// Trusts the hooks of a folder as a user does who reviews them: asks Codex for the list of hooks, and gives
// the hash of each back to it. Prints how Codex judged each hook before and after that.
//
//     node trust.js DIR

import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const folder = process.argv[2];
const start = join(dirname(fileURLToPath(import.meta.url)), "codex.sh");
const server = spawn("/bin/sh", [start, "app-server"], { stdio: ["pipe", "pipe", "ignore"] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();

let asked = 0;
async function ask(method, params) {
  const id = ++asked;
  server.stdin.write(JSON.stringify({ id, method, params }) + "\n");
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`no answer to ${method}`);
    const message = JSON.parse(value);
    if (message.id !== id || message.method) continue;
    if (message.error) throw new Error(`${method}: ${message.error.message}`);
    return message.result;
  }
}

async function hooks() {
  const { data } = await ask("hooks/list", { cwds: [folder] });
  return data.flatMap((entry) => entry.hooks);
}

function judged(found) {
  return Object.fromEntries(found.map((hook) => [hook.eventName, hook.trustStatus]));
}

await ask("initialize", { clientInfo: { name: "trust", title: "trust", version: "1" } });
server.stdin.write(JSON.stringify({ method: "initialized" }) + "\n");
const found = await hooks();
const value = Object.fromEntries(found.map((hook) => [hook.key, { trusted_hash: hook.currentHash }]));
const edits = [{ keyPath: "hooks.state", value, mergeStrategy: "upsert" }];
await ask("config/batchWrite", { edits, reloadUserConfig: true });
console.log(JSON.stringify({ before: judged(found), after: judged(await hooks()) }));
server.stdin.end();
