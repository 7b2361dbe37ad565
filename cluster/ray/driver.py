"""Submits units to Ray and passes their answers on.

Standard input: one JSON object a line, {"unit": KEY, "cpus": N, "memory_mb": N, "order": TEXT}. Standard
output: one JSON object a line, an event. An answer is a file in the folder `--answers`; its event names it.
The end of standard input ends this program, and the nodes that it started.

What a unit is, and whether an answer is right, is not known here. Retries after a lost node, spilling and
scaling are Ray's.
"""

import argparse
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time

# Ray prints to standard output here and there, which is for events alone. So they get a copy of it, and what
# is printed goes to standard error.
EVENTS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import ray  # noqa: E402

# How often Ray runs a unit again whose node or worker was lost.
RETRIES = 10
# Units that are submitted at once, for each processor of the cluster. Ray needs to see what is waited for to
# scale, and need not see everything.
AHEAD = 4
# Seconds between two looks at the nodes.
LOOK = 1.0
# Bytes of the object store of a node that is started here. What does not fit, Ray spills to the disk.
OBJECTS = 128 * 1024 * 1024


def tell(event, **fields):
    """Prints one event."""
    EVENTS.write(json.dumps({"event": event, **fields}, sort_keys=True) + "\n")
    EVENTS.flush()


class Program:
    """`parity unit --many`, which a process of Ray keeps for its next unit: to start it and to check the comparator
    takes longer than many units do."""

    # The one of this process.
    kept = None

    def __init__(self, program, checkout, store):
        self.asked = (program, checkout, store)
        # A node that has the program or the checkout elsewhere says so.
        program = os.environ.get("PARITY_PROGRAM", program)
        checkout = os.environ.get("PARITY_CHECKOUT", checkout)
        self.child = subprocess.Popen(
            [program, "unit", "--many", *(["--store", store] if store else [])],
            cwd=checkout if os.path.isdir(checkout) else None,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        # The end of what it says. Somebody must read it, or it could not go on.
        self.said = b""
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()

    def listen(self):
        for line in self.child.stderr:
            self.said = (self.said + line)[-4000:]

    def answer(self, order, limit):
        """What it answers to an order, as far as it goes, and its exit code if it ended."""
        try:
            self.child.stdin.write(order.encode() + b"\n")
            # Standard input stays open: its end would tell the program that this process is gone.
            self.child.stdin.flush()
        except BrokenPipeError:
            return b"", self.ended()
        length = self.child.stdout.readline(32)
        if not length:
            return b"", self.ended()
        if not length.strip().isdigit():
            return length, self.ended(kill=True)
        # Of an answer that is too long, as much is passed on as shows it.
        length = int(length)
        frame = self.child.stdout.read(min(length, limit + 1))
        if len(frame) < length:
            return frame, self.ended(kill=len(frame) > limit)
        return frame, None

    def ended(self, kill=False):
        if kill:
            self.child.kill()
        code = self.child.wait()
        self.listener.join(5)
        # What was wrong before it was killed, the answer shows.
        return 0 if kill else code


def run_unit(program, checkout, order, limit, store):
    """Runs one unit where Ray puts it. Returns exit code, answer, end of standard error, and node."""
    node = ray.get_runtime_context().get_node_id()
    if Program.kept is None or Program.kept.asked != (program, checkout, store):
        try:
            Program.kept = Program(program, checkout, store)
        except OSError as error:
            return None, b"", f"{program} cannot be started: {error}", node
    here = Program.kept
    frame, code = here.answer(order, limit)
    if code is None:
        return 0, frame, "", node
    Program.kept = None
    return code, frame, here.said.decode(errors="replace"), node


def start(arguments):
    """Connects to a cluster, or starts nodes. Returns what must be shut down."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
    if arguments.address:
        ray.init(address=arguments.address, **quiet)
        return None
    from ray.cluster_utils import Cluster

    node = {
        "num_cpus": arguments.cpus,
        "num_gpus": 0,
        "memory": arguments.memory_mb * 1_000_000 // arguments.local,
        "object_store_memory": OBJECTS,
        # Nobody reads what it would gather.
        "include_log_monitor": False,
        "include_dashboard": False,
        "dashboard_port": None,
        # It would scale the cluster, which has the nodes that were asked for.
        "no_monitor": True,
    }
    cluster = Cluster(initialize_head=True, head_node_args={**node, "temp_dir": arguments.folder})
    # What only the first node has.
    del node["include_dashboard"], node["dashboard_port"], node["no_monitor"]
    for _ in range(arguments.local - 1):
        cluster.add_node(**node)
    ray.init(address=cluster.address, **quiet)
    return cluster


def processes(cluster):
    """The process of each node that was started here, by the id of the node."""
    nodes = cluster.list_all_nodes() if cluster else []
    found = {}
    for node in nodes:
        raylet = node.all_processes.get("raylet")
        if raylet:
            found[node.node_id] = raylet[0].process.pid
    return found


class Nodes:
    """The nodes of the cluster as they were last seen."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.alive = {}
        self.load = None
        self.was_free = False
        self.looked_at = None

    def look(self, pending=0):
        """Tells which nodes came and went, and what the pending units wait for. Ray is asked at most once a second."""
        now = time.monotonic()
        if self.looked_at is not None and now < self.looked_at + LOOK:
            return
        self.looked_at = now
        started = processes(self.cluster)
        alive = {node["NodeID"]: node["Resources"] for node in ray.nodes() if node["Alive"]}
        for name in sorted(set(alive) - set(self.alive)):
            about = {"pid": started[name]} if name in started else {}
            tell("node_joined", node=name, cpus=alive[name].get("CPU", 0), **about)
        for name in sorted(set(self.alive) - set(alive)):
            tell("node_lost", node=name)
        if set(alive) != set(self.alive):
            cpus = sum(resources.get("CPU", 0) for resources in alive.values())
            tell("nodes", alive=len(alive), cpus=cpus)
        self.alive = alive
        # Ray does not tell what a unit waits for, but what is left: a unit that has no processor although one is
        # free for longer than it takes to start a unit needs more memory than is left.
        all_cpus = sum(resources.get("CPU", 0) for resources in alive.values())
        free = ray.available_resources().get("CPU", 0)
        running = min(pending, round(all_cpus - free))
        waits_for = "node" if all_cpus == 0 else "memory" if free >= 1 and self.was_free else "processor"
        self.was_free = free >= 1
        load = (running, pending - running, waits_for if pending > running else None)
        if load != self.load:
            fields = {"waits_for": load[2]} if load[2] else {}
            tell("load", running=load[0], waiting=load[1], **fields)
        self.load = load

    def cpus(self):
        return max(1, int(sum(resources.get("CPU", 0) for resources in self.alive.values())))

    def memory(self, wanted_mb):
        """What to ask for, in bytes: no more than the largest node has, or the unit would wait for ever."""
        most = max((resources.get("memory", 0) for resources in self.alive.values()), default=0)
        return int(min(wanted_mb * 1_000_000, most))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--address")
    parser.add_argument("--local", type=int)
    parser.add_argument("--cpus", type=int, default=1)
    parser.add_argument("--memory-mb", type=int, default=4000)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--answers", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--checkout", required=True)
    parser.add_argument("--limit", type=int, required=True)
    parser.add_argument("--store")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        cluster = start(arguments)
    except Exception as error:  # Whatever Ray raises, the run must say it.
        tell("no_cluster", why=f"{type(error).__name__}: {error}"[:2000])
        return 1
    try:
        serve(arguments, cluster)
    finally:
        ray.shutdown()
        if cluster:
            cluster.shutdown()
    return 0


def serve(arguments, cluster):
    """Submits what standard input says until it ends."""
    asked = queue.Queue()

    def listen():
        for line in sys.stdin:
            asked.put(json.loads(line))
        asked.put(None)

    threading.Thread(target=listen, daemon=True).start()
    task = ray.remote(max_retries=RETRIES)(run_unit)
    nodes = Nodes(cluster)
    nodes.look()
    pending, number = {}, 0
    while True:
        while len(pending) < AHEAD * nodes.cpus():
            try:
                job = asked.get(timeout=0 if pending else LOOK)
            except queue.Empty:
                break
            if job is None:
                return
            needs = task.options(num_cpus=job["cpus"], memory=nodes.memory(job["memory_mb"]))
            answer = needs.remote(
                arguments.program, arguments.checkout, job["order"], arguments.limit, arguments.store
            )
            pending[answer] = job["unit"]
            tell("submitted", unit=job["unit"])
        if pending:
            ready, _ = ray.wait(list(pending), timeout=LOOK)
            for answer in ready:
                number += 1
                pass_on(arguments, answer, pending.pop(answer), number)
        if not asked.empty() and asked.queue[0] is None:
            return
        nodes.look(len(pending))


def pass_on(arguments, answer, unit, number):
    """Writes an answer into the folder and tells of it."""
    try:
        code, frame, said, node = ray.get(answer)
    except Exception as error:  # A unit whose node was lost too often, or that Ray could not run.
        tell("failed", unit=unit, why=f"{type(error).__name__}: {error}"[:2000])
        return
    if code != 0:
        tell("failed", unit=unit, node=node, code=code, why=said.strip()[-2000:])
        return
    path = os.path.join(arguments.answers, f"{number}.answer")
    with open(path, "wb") as file:
        file.write(frame)
    tell("answered", unit=unit, node=node, file=path)


if __name__ == "__main__":
    sys.exit(main())
