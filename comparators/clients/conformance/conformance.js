// Runs published conformance scenarios against a server that speaks over standard input and output.
//
// node conformance.js list                         every scenario of the package, with its revisions
// node conformance.js run SCENARIOS COMMAND...     runs SCENARIOS, a JSON array of [scenario, revision], against
//                                                  the server that COMMAND starts
//
// Prints one JSON object. Of a run: the checks of each scenario and revision, null if there are none.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { relay } from "./relay.js";

const PROGRAM = new URL("node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url).pathname;
const AT_ONCE = 2;
const DEADLINE_MS = 60_000;

/** Runs the package; resolves to its output, whatever its exit code. */
function conformance(...words) {
  return new Promise((done) => {
    const options = { timeout: DEADLINE_MS, maxBuffer: 64 << 20 };
    execFile(process.execPath, [PROGRAM, ...words], options, (_, output, errors) => done({ output, errors }));
  });
}

async function list() {
  const { output } = await conformance("list", "--server");
  const entries = [...output.matchAll(/^ +- (\S+) \[([^\]]*)\]$/gm)];
  return Object.fromEntries(entries.map(([, name, revisions]) => [name, revisions.split(",")]));
}

async function checks(url, scenario, revision) {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const words = ["--url", url, "--scenario", scenario, "--spec-version", revision, "-o", folder];
  const { output, errors } = await conformance("server", ...words);
  const files = await readdir(folder, { recursive: true });
  const file = files.find((name) => name.endsWith("checks.json"));
  const found = file ? JSON.parse(await readFile(join(folder, file), "utf8")) : null;
  await rm(folder, { recursive: true });
  if (found === null) {
    console.error(`${scenario} ${revision}: no checks\n${output}${errors}`);
  }
  return found && found.map(({ id, status, errorMessage }) => ({ id, status, message: errorMessage ?? null }));
}

async function run(scenarios, command) {
  const { url, end } = await relay(command);
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < scenarios.length) {
      const at = next++;
      const [scenario, revision] = scenarios[at];
      results[at] = { scenario, revision, checks: await checks(url, scenario, revision) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  end();
  return results;
}

const [what, scenarios, ...command] = process.argv.slice(2);
const said = what === "list" ? await list() : await run(JSON.parse(scenarios), command);
console.log(JSON.stringify(said));
