"""A session of opencode with a scripted model.

    session.py ROOT SCRIPT RECORD PROMPT [OPTION...]

SCRIPT is a JSON list of answers, one for each request (`stub.py` says what an answer is); a request beyond it is refused.
RECORD gets the body of every request, one to a line. OPTION is one of `opencode run`. Prints what opencode printed; ends as it ended.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from stub import MODEL, Stub  # noqa: E402

HERE = Path(__file__).parent
SECONDS = 120
# A port that nobody listens on: what opencode would fetch from elsewhere fails at once.
NOWHERE = "http://127.0.0.1:9/"


def environment(folder, url):
    """Variables of opencode: a home of its own is the caller's task, all else that it could reach is turned off here."""
    kept = {name: os.environ[name] for name in ("HOME", "PARITY_CACHE_DIR", "TMPDIR", "LANG") if name in os.environ}
    # Its tools `grep` and `glob` are ripgrep, which it would fetch.
    path = f"{folder}/node_modules/@vscode/ripgrep-linux-x64/bin:{os.environ['PATH']}"
    provider = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": url, "apiKey": "none"}, "models": {MODEL: {}}}
    config = {
        "model": f"stub/{MODEL}",
        "small_model": f"stub/{MODEL}",
        "autoupdate": False,
        "share": "disabled",
        "provider": {"stub": provider},
    }
    off = ("AUTOUPDATE", "CLAUDE_CODE", "DEFAULT_PLUGINS", "LSP_DOWNLOAD", "MODELS_FETCH", "SHARE")
    return {
        **kept,
        "PATH": path,
        "OPENCODE_CONFIG_CONTENT": json.dumps(config),
        **{f"OPENCODE_DISABLE_{name}": "1" for name in off},
        # It installs a package of its own beside each plugin, and goes on if that fails.
        "npm_config_offline": "true",
        "npm_config_registry": NOWHERE,
        "HTTP_PROXY": NOWHERE,
        "HTTPS_PROXY": NOWHERE,
        "NO_PROXY": "127.0.0.1",
    }


def program(folder):
    """The binary of opencode in a folder with its packages."""
    return str(folder / "node_modules/opencode-linux-x64-baseline/bin/opencode")


def run(folder, root, prompt, stub, options=(), more=None):
    """Runs a session and waits for its end; gives the exit code and both outputs. `more` are further variables."""
    # A title spares the request that would ask the model for one.
    words = [program(folder), "run", "--title", "session", *options, prompt]
    pipe = subprocess.PIPE
    child = subprocess.Popen(words, cwd=root, env=environment(folder, stub.url) | (more or {}), stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    try:
        said, error = child.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        said, error = child.communicate()
        error += f"\nended after {SECONDS} s\n"
    return child.returncode, said, error


def main(root, script, record, prompt, *options):
    answers = iter(json.loads(Path(script).read_text()))
    with Stub(lambda _: next(answers)) as stub:
        code, said, error = run(HERE, root, prompt, stub, options)
    Path(record).write_text("".join(json.dumps(request["body"]) + "\n" for request in stub.requests))
    sys.stdout.write(said)
    sys.stderr.write(error)
    return 1 if code < 0 else code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
