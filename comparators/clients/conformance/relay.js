// An HTTP server for tests alone, which relays JSON-RPC messages between HTTP and a server that speaks over
// standard input and output. A message is passed on as it is; the relay makes none itself. It decides only what
// belongs to HTTP: sessions, status codes, and whether an answer is a stream.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const LONGEST_BODY = 8 << 20;
/** The status codes of errors in the revision without sessions; other errors have 400. */
const STATUS_OF_ERROR = new Map([[-32601, 404]]);

/** A process of the server, and the requests that it has not answered. */
class Process {
  #child;
  #waiting = new Map();

  constructor([program, ...words]) {
    this.#child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
    this.#child.on("error", () => this.#fail());
    this.#child.on("close", () => this.#fail());
    // A server that has ended takes no more messages; its requests fail by the events above.
    this.#child.stdin.on("error", () => {});
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#hear(line));
  }

  /** Sends a notification or a response. */
  tell(line) {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Sends a request. `hear` gets the text of each message about it, and whether it is the last: the answer. */
  ask(message, line, hear) {
    if (this.#child.exitCode !== null) {
      hear(null, true);
      return;
    }
    const token = message.params?._meta?.progressToken;
    this.#waiting.set(JSON.stringify(message.id), { hear, token });
    this.tell(line);
  }

  end() {
    this.#child.stdin.end();
  }

  #hear(line) {
    const message = parsed(line);
    const key = JSON.stringify(message?.id ?? null);
    const asked = this.#waiting.get(key);
    if (asked && message.method === undefined) {
      this.#waiting.delete(key);
      asked.hear(line, true);
      return;
    }
    // What is no answer goes to the request that it is about; if that is not known, to the latest.
    const open = [...this.#waiting.values()];
    const token = message?.params?.progressToken;
    const about = open.find((one) => token !== undefined && one.token === token) ?? open.at(-1);
    about?.hear(line, false);
  }

  #fail() {
    for (const { hear } of this.#waiting.values()) {
      hear(null, true);
    }
    this.#waiting.clear();
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes the messages about a request to an HTTP response: a single one as JSON, several as a stream. */
function writer(response, headers, isStateless) {
  let isStream = false;
  return (line, isLast) => {
    if (line === null) {
      isStream ? response.end() : refuse(response, 502, "the server ended without an answer");
      return;
    }
    if (isLast && !isStream) {
      const code = parsed(line)?.error?.code;
      const status = isStateless && code !== undefined ? (STATUS_OF_ERROR.get(code) ?? 400) : 200;
      response.writeHead(status, { ...headers, "content-type": "application/json" }).end(line);
      return;
    }
    if (!isStream) {
      isStream = true;
      response.writeHead(200, { ...headers, "content-type": "text/event-stream" });
    }
    response.write(`data: ${line}\n\n`);
    if (isLast) {
      response.end();
    }
  };
}

function refuse(response, status, why) {
  response.writeHead(status, { "content-type": "text/plain" }).end(why);
}

async function bodyOf(request) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > LONGEST_BODY) {
      throw new Error("the body is too long");
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Starts a relay to the server that `command` starts; returns its address, and a function that ends it. */
export async function relay(command) {
  const sessions = new Map();

  function inSession(id, message, line, response) {
    const process = sessions.get(id);
    if (!process) {
      refuse(response, 404, "there is no such session");
    } else if (message.method !== undefined && message.id !== undefined) {
      process.ask(message, line, writer(response, {}, false));
    } else {
      process.tell(line);
      response.writeHead(202).end();
    }
  }

  function newSession(message, line, response) {
    const id = randomUUID();
    const process = new Process(command);
    sessions.set(id, process);
    process.ask(message, line, writer(response, { "mcp-session-id": id }, false));
  }

  function withoutSession(message, line, response) {
    const process = new Process(command);
    response.on("close", () => process.end());
    if (message.id === undefined) {
      process.tell(line);
      response.writeHead(202).end();
    } else {
      process.ask(message, line, writer(response, {}, true));
    }
  }

  async function answer(request, response) {
    const id = request.headers["mcp-session-id"];
    if (request.method === "DELETE") {
      sessions.get(id)?.end();
      response.writeHead(sessions.delete(id) ? 204 : 404).end();
      return;
    }
    if (request.method !== "POST") {
      refuse(response, 405, "messages are sent with POST");
      return;
    }
    const body = await bodyOf(request);
    const message = parsed(body);
    if (typeof message !== "object" || message === null) {
      refuse(response, 400, "the body is not a JSON object");
      return;
    }
    // On standard input and output a message is a line, so that line breaks of the body must go.
    const line = /[\r\n]/.test(body) ? JSON.stringify(message) : body;
    const isStateless = message.params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
    if (id !== undefined) {
      inSession(id, message, line, response);
    } else if (message.method === "initialize" && !isStateless) {
      newSession(message, line, response);
    } else {
      withoutSession(message, line, response);
    }
  }

  const http = createServer((request, response) => {
    answer(request, response).catch((error) => refuse(response, 400, String(error)));
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  const end = () => {
    for (const process of sessions.values()) {
      process.end();
    }
    http.closeAllConnections();
    http.close();
  };
  return { url: `http://127.0.0.1:${http.address().port}/mcp`, end };
}
