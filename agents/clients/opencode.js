// Written by `parity hook install`; `parity hook uninstall` takes it back.
// Puts the repository map of parity into the system prompt. Whatever fails here is silent: no map.
import { spawn } from "node:child_process";

const COMMAND = @COMMAND@;
// The hook answers far earlier by itself.
const MILLISECONDS = 10000;
const EDITS = ["edit", "write", "multiedit", "patch", "apply_patch"];

// Tells an event to the hook; gives the context that it answers with, or nothing.
function tell(event) {
  return new Promise((resolve) => {
    try {
      const [program, ...words] = COMMAND;
      const child = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"], timeout: MILLISECONDS });
      let said = "";
      child.on("error", () => resolve(undefined));
      child.stdin.on("error", () => {});
      child.stdout.on("data", (part) => (said += part));
      child.on("close", () => {
        try {
          resolve(JSON.parse(said).hookSpecificOutput.additionalContext);
        } catch {
          resolve(undefined);
        }
      });
      child.stdin.end(JSON.stringify(event));
    } catch {
      resolve(undefined);
    }
  });
}

export const Parity = async ({ directory }) => {
  // The last map of each session. The system prompt is made anew for each request, so maps do not pile up.
  const maps = new Map();
  const started = new Set();
  // The last prompt of each session, and the sessions for which a map is being asked for.
  const prompts = new Map();
  const asked = new Set();

  async function ask(name, session, more) {
    const event = { hook_event_name: name, session_id: session, cwd: directory, ...more };
    const context = await tell(event);
    if (context) maps.set(session, context);
  }

  async function start(session) {
    if (session && !started.has(session)) {
      started.add(session);
      await ask("SessionStart", session, { source: "startup" });
    }
  }

  // Asks again for the map that was not made in time for the prompt. Nobody waits for it: a later request has it.
  async function follow(session) {
    if (!started.has(session) || maps.has(session) || asked.has(session)) return;
    asked.add(session);
    await ask("UserPromptSubmit", session, { prompt: prompts.get(session) ?? "" });
    asked.delete(session);
  }

  return {
    "chat.message": async (input, output) => {
      await start(input.sessionID);
      const texts = (output?.parts ?? []).filter((part) => part.type === "text").map((part) => part.text);
      prompts.set(input.sessionID, texts.join("\n"));
      await ask("UserPromptSubmit", input.sessionID, { prompt: prompts.get(input.sessionID) });
    },
    "experimental.chat.system.transform": async (input, output) => {
      await start(input.sessionID);
      const map = maps.get(input.sessionID);
      if (map) output.system.push(map);
    },
    "tool.execute.after": async (input, output) => {
      follow(input.sessionID);
      if (!EDITS.includes(input.tool)) return;
      const given = input.args ?? {};
      const file = given.filePath ?? output?.metadata?.filediff?.file;
      await ask("PostToolUse", input.sessionID, { tool_input: { file_path: file, patch: given.patchText } });
    },
  };
};
