"""A model that is none: an OpenAI-compatible chat completion server on the loopback interface. It records every request
and answers as a function tells it to.

    with Stub(answer) as stub:
        ...                     # a client talks to stub.url
    stub.requests               # the bodies, each with the seconds at which it arrived

`answer` gets the body of a request, and returns {"text": …} or {"calls": [{"name": …, "arguments": {…}}]}. If it raises an
error, the client gets an HTTP status that it does not retry.
"""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = "stub"


class Stub:
    def __init__(self, answer):
        self.answer, self.requests, self.lock = answer, [], threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def reply(self, body):
        """The chunks that answer a request. Requests are answered one after the other."""
        with self.lock:
            self.requests.append({"at": time.perf_counter(), "body": body})
            return list(chunks(self.answer(body), len(self.requests)))

    def handler(stub):  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                try:
                    events = stub.reply(body)
                except Exception as error:  # noqa: BLE001
                    return self.give(400, "application/json", json.dumps({"error": {"message": repr(error)}}))
                lines = [json.dumps(event) for event in events] + ["[DONE]"]
                return self.give(200, "text/event-stream", "".join(f"data: {line}\n\n" for line in lines))

            def give(self, status, kind, text):
                data = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        return Handler


def chunks(answer, number):
    """An answer as the parts of a stream. `number` makes the ids of calls different."""
    calls = answer.get("calls", [])
    delta = {"role": "assistant", "content": answer.get("text")}
    if calls:
        delta["tool_calls"] = [
            {"index": at, "id": f"call_{number}_{at}", "type": "function", "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])}}
            for at, call in enumerate(calls)
        ]
    common = {"id": f"answer_{number}", "object": "chat.completion.chunk", "created": 1, "model": MODEL}
    yield {**common, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    ended = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield {**common, "choices": [{"index": 0, "delta": {}, "finish_reason": ended}], "usage": usage}
