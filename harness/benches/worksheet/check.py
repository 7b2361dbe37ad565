"""Checks of the policy, on requests that are made for that: no client, no repository.

A small world answers its calls as opencode does. The policy must find the right file in it by searching, sooner with a
map that names that file, and no sooner with a map that names nothing, or nothing of it.
"""

import json
import re
import tomllib
from pathlib import Path

import page
from policy import Context, Policy, is_specific, words_of

PLAN = tomllib.loads((Path(__file__).parent / "plan.toml").read_text())["policy"]
ROOT = "/r"
FILES = {
    "src/queue.c": ["int queue_push(struct queue *q)", "return 1;"],
    "src/socket.c": ["int socket_drain(struct queue *q)", "return 2;"],
    "src/drain.c": ["void drain_everything(void)", "return;"],
    "tests/socket_test.c": ["socket_drain(NULL);"],
}
MESSAGE = "Fix a leak when a socket is asked to drain"
NAMING = "src/socket.c:\n int socket_drain(struct queue *q)\n\nsrc/queue.c\n"


def result(call):
    name, arguments = call["name"], call["arguments"]
    if name == "grep":
        found = {path: [line for line in lines if re.search(arguments["pattern"], line)] for path, lines in FILES.items()}
        text = "\n".join(f"{ROOT}/{path}:\n" + "".join(f"  Line 1: {line}\n" for line in lines) for path, lines in found.items() if lines)
        return text or "No files found"
    if name == "glob":
        return "\n".join(f"{ROOT}/{path}" for path in FILES if arguments["pattern"].strip("*/") in path)
    lines = FILES[arguments["filePath"].removeprefix(ROOT + "/")]
    if name == "read":
        return "".join(f"{at + 1}: {line}\n" for at, line in enumerate(lines))
    return "Edit applied successfully." if arguments["oldString"] in "\n".join(lines) else "oldString not found"


def played(listing, right, is_source):
    """The calls that the policy makes, and what it says at last."""
    system = f"<env>\n  Working directory: {ROOT}\n</env>"
    if listing is not None:
        system += f"\n<repository-map 0>\n{listing}</repository-map 0>"
    messages = [{"role": "system", "content": system}, {"role": "user", "content": MESSAGE}]
    policy, calls = Policy(PLAN, is_source, lambda path: path == right), []
    for number in range(60):
        answer = policy.answer({"messages": messages})
        if "text" in answer:
            return calls, answer["text"]
        asked = [(f"{number}-{at}", call) for at, call in enumerate(answer["calls"])]
        told = [{"id": key, "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])}} for key, call in asked]
        messages.append({"role": "assistant", "tool_calls": told})
        messages += [{"role": "tool", "tool_call_id": key, "content": result(call)} for key, call in asked]
        calls += [call["name"] for _, call in asked]
    raise AssertionError("the policy does not end")


def main(is_source, control):
    assert is_specific("tif_dir") and is_specific("queuePush") and not is_specific("socket") and not is_specific("KDC")
    assert words_of("Fix the leak of socket in xmlFree", {"fix", "the", "leak"}, 2) == ["xmlFree", "socket"]
    off, said = played(None, "src/socket.c", is_source)
    assert off == ["grep", "glob", "grep", "glob", "read", "edit"] or off == ["grep", "glob", "read", "edit"], off
    assert said == "The change is made."
    assert played(NAMING, "src/socket.c", is_source)[0] == ["read", "edit"]
    # A map of nothing, and one of something else.
    assert played("", "src/socket.c", is_source)[0] == off
    assert played("src/other.c:\n void nothing(void)\n", "src/socket.c", is_source)[0] == off
    # The right file is none that anything leads to: it asks. It never reads a file that it has not seen named.
    calls, said = played(None, "src/hidden.c", is_source)
    assert said.startswith("Where is") and "edit" not in calls and calls.count("read") <= len(FILES)
    cut = Context({"messages": [
        {"role": "system", "content": f"Working directory: {ROOT}"},
        {"role": "user", "content": "x"},
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "grep", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "1", "content": f"{ROOT}/a.c:\n  Line 1: x\n(Results truncated.)"},
    ]})  # fmt: skip
    assert cut.seen == {} and len(cut.of("grep")) == 1
    # The control finds an arm with an empty map that is better, and one that only costs more is none.
    off = {"searches": 2, "reads": 2, "edited": True, "tokens": 100}
    for other, expected in (({}, []), ({"tokens": 101}, []), ({"reads": 1}, ["t"]), ({"tokens": 99}, ["t"]), ({"searches": 3}, [])):
        assert control([{"task": "t", "off": off, "empty": off | other}]) == expected, other
    # Values of a table of the binomial distribution: 5 of 9, 6 of 6, 8 of 9.
    assert [round(page.chance(*counts), 4) for counts in ((5, 4), (6, 0), (1, 8), (0, 0))] == [1.0, 0.0312, 0.0391, 1.0]
    print("the policy is as it should be")
