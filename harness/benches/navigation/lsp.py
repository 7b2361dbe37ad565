"""A language server on standard streams, asked one thing after the other."""

import json
import subprocess


class Server:
    """What a server asks, or tells, is passed to `heed`."""

    def __init__(self, command, **more):
        self.number = 0
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **more)

    def write(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.write({"method": method, "params": params})

    def read(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            raise SystemExit("the language server ended")
        return json.loads(self.process.stdout.read(length))

    def heed(self, message):
        if "id" in message and "method" in message:
            self.write({"id": message["id"], "result": None})

    def ask(self, method, params):
        while True:
            self.number += 1
            self.write({"id": self.number, "method": method, "params": params})
            while (message := self.read()).get("id") != self.number or "method" in message:
                self.heed(message)
            # What changed while it was asked is asked again.
            if message.get("error", {}).get("code") not in (-32801, -32802):
                return message.get("result")
