"""A server of the Model Context Protocol on standard streams, asked one thing after the other."""

import json
import queue
import subprocess
import threading


class Server:
    """One that ends, answers with no JSON, or takes longer than its patience is an OSError or a ValueError."""

    def __init__(self, command, patience, **more):
        self.number, self.patience, self.lines = 0, patience, queue.Queue()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **more)
        threading.Thread(target=self.read, daemon=True).start()
        self.ask("initialize", protocolVersion="2024-11-05", capabilities={}, clientInfo={"name": "peers", "version": "1"})
        self.write(method="notifications/initialized")

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def write(self, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, /, **params):
        self.number += 1
        self.write(id=self.number, method=method, params=params)
        while True:
            try:
                line = self.lines.get(timeout=self.patience)
            except queue.Empty:
                line = None
            if line is None:
                raise OSError("no answer")
            message = json.loads(line)
            if message.get("id") == self.number and "method" not in message:
                return message.get("result", {})

    def tool(self, name, /, **arguments):
        """Whether a tool has failed, and its texts."""
        result = self.ask("tools/call", name=name, arguments=arguments)
        return result.get("isError", True), [one["text"] for one in result.get("content", []) if "text" in one]

    def stop(self):
        self.process.kill()
        self.process.wait()
