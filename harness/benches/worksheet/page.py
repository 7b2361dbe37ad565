"""The worksheet as a page for people. Every sentence that judges is derived from the numbers."""

import math
import statistics
from collections import Counter

ARMS = ("off", "on", "empty")


def median(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


def shown(value, unit="", digits=1):
    return "–" if value is None else f"{value:,.{digits}f}{unit}"


def both_edited(rows):
    return [row for row in rows if row["off"]["edited"] and row["on"]["edited"]]


def changes(rows, value):
    """In how many tasks something is less, the same and more with the map."""
    signs = Counter((value(row["on"]) > value(row["off"])) - (value(row["on"]) < value(row["off"])) for row in rows)
    return signs[-1], signs[0], signs[1]


def chance(less, more):
    """How likely a difference as uneven as this is if either direction is as likely (two-sided sign test)."""
    of, least = less + more, min(less, more)
    return min(1.0, 2 * sum(math.comb(of, at) for at in range(least + 1)) / 2**of)


def effort(row):
    return row["searches"] + row["reads"]


def judged(found):
    """The verdict: whether the map is worth further tests, and what has to be better before."""
    rows = found["rows"]
    less, _, more = changes(rows, effort)
    asked = {arm: sum(row[arm]["asked"] for row in rows) for arm in ("off", "on")}
    is_useful = less > more and asked["on"] <= asked["off"] and not found["better_with_an_empty_map"]
    fixes = []
    if asked["on"] > asked["off"]:
        fixes.append(f"{asked['on'] - asked['off']} more questions where the code is")
    if more:
        fixes.append(f"{more} of {len(rows)} tasks in which the map makes searches and reads more")
    _, _, dearer = changes(rows, lambda row: row["tokens"])
    if dearer:
        fixes.append(f"{dearer} of {len(rows)} tasks that cost more input tokens with the map")
    most = found["plan"]["verdict"]["start_ms"]
    for kind, words in (("warm", "of a repository that is known"), ("cold", "with nothing indexed")):
        late = [row["package"] for row in found["repositories"] if row[f"{kind}_start_ms"] > most]
        if late:
            fixes.append(f"a start of the session {words} takes more than {most} ms in {', '.join(late)}")
    untold = [row["package"] for row in found["repositories"] if row["cold_told"] < 1]
    if untold:
        fixes.append(f"no map, in one or more first sessions with nothing indexed, in {', '.join(untold)}")
    return is_useful, fixes


def quantities(found):
    rows, pairs = found["rows"], both_edited(found["rows"])
    added = [row["on"]["first_s"] - row["off"]["first_s"] for row in rows]

    def line(title, values, digits=1, note=""):
        off, on = values("off"), values("on")
        change = None if None in (off, on) else on - off
        return f"| {title} | {shown(off, '', digits)} | {shown(on, '', digits)} | {'' if change is None or change < 0 else '+'}{shown(change, '', digits)} | {note} |"

    of_all = lambda name: lambda arm: median(row[arm][name] for row in rows)  # noqa: E731
    of_pairs = lambda name: lambda arm: median(row[arm][name] for row in pairs)  # noqa: E731
    few = f"{len(pairs)} tasks edited in both"
    of_each = lambda name, digits=1: f"median of {few}; of the differences {shown(median(row['on'][name] - row['off'][name] for row in pairs), '', digits)}"  # noqa: E731
    repositories = found["repositories"]
    return [
        "| metric | off | on | difference | |",
        "| :--- | ---: | ---: | ---: | :--- |",
        line("time to first valid edit, s", of_pairs("edit_s"), note=of_each("edit_s")),
        line("`grep` and `glob` discovery calls", of_all("searches"), note="median of all tasks"),
        line("the same, sum", lambda arm: sum(row[arm]["searches"] for row in rows), 0),
        line("files read", of_all("reads"), note="median of all tasks"),
        line("the same, sum", lambda arm: sum(row[arm]["reads"] for row in rows), 0),
        line("input tokens until the first edit", of_pairs("tokens"), 0, of_each("tokens", 0)),
        line("the same, until the edit or the question", of_all("tokens"), 0, "median of all tasks"),
        line("sessions that end with “where is X?”", lambda arm: sum(row[arm]["asked"] for row in rows), 0, f"of {len(rows)}"),
        line("total completion time, s", of_pairs("total_s"), note=of_each("total_s")),
        line("start of opencode to the first request, s", of_all("first_s"), note=f"median of all tasks; of the differences {median(added):.1f}"),
        f"| repo-map generation runtime, ms | n/a | {shown(median(row['made_ms'] for row in repositories), '', 0)} | | nothing indexed, median of {len(repositories)} repositories |",
        f"| SessionStart added latency, known repository, ms | n/a | {shown(median(row['warm_start_ms'] for row in repositories), '', 0)} | | the same |",
        f"| the same, nothing indexed, ms | n/a | {shown(median(row['cold_start_ms'] for row in repositories), '', 0)} | | the same |",
    ]


def quality(found):
    rows = found["rows"]
    having = [row for row in rows if row["on"]["map_has"]]
    places = [row["on"]["map_place"] for row in rows if row["on"]["map_place"]]
    told = sum(row["on"]["has_map"] for row in rows)
    sessions = sum(row["on"]["sessions"] for row in rows)
    less, same, more = changes(rows, effort)
    cheaper, equal, dearer = changes(rows, lambda row: row["tokens"])
    pairs = both_edited(rows)
    found_less, found_same, found_more = changes(pairs, effort)
    only = {one: sum(row[one]["edited"] and not row[other]["edited"] for row in rows) for one, other in (("on", "off"), ("off", "on"))}
    all_files = sum(len(row["on"]["map_has"]) for row in rows)
    return [
        f"- *Did the map surface the right files early?* It was in the first request of {told} of {sessions} sessions. In {len(having)} of",
        f"  {len(rows)} tasks it names a file that the patch changes.",
        f"- *Did it miss critical files?* It names {all_files} of the {sum(row['changed'] for row in rows)} changed files, and none of them in {len(rows) - len(having)} tasks.",
        "- *Was the order useful?* A map is in the order of paths, so its order says nothing. Ordered by what its files have in common with",
        f"  the message, the first right one is at place {shown(median(places), '', 0)} (median of the {len(places)} tasks in which there is one);",
        f"  in {places.count(1)} tasks it is the first.",
        f"- *Was the right file found?* In both arms in {len(pairs)} tasks, only with the map in {only['on']}, only without it in {only['off']}, in neither in",
        f"  {len(rows) - len(pairs) - only['on'] - only['off']}. Of the {len(pairs)} tasks, searches and reads together were fewer with the map in {found_less}, the same in {found_same}, more in {found_more}.",
        f"- *Any regressions?* Of all tasks, searches and reads together: fewer with the map in {less} tasks, the same in {same}, more in {more}. Input",
        f"  tokens: fewer in {cheaper}, the same in {equal}, more in {dearer}.",
    ]


def tasks(found):
    lines = [
        "| package | files | task | searches | reads | input tokens | edit after, s | total, s | map names it | control |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in found["rows"]:
        off, on, empty = (row[arm] for arm in ARMS)
        pair = lambda name, digits=0: f"{shown(off[name], '', digits)} → {shown(on[name], '', digits)}"  # noqa: B023, E731
        unsteady = "" if off["steady"] and on["steady"] else " (sessions differ)"
        lines.append(
            f"| {row['package']} | {row['files']} | `{row['task'][:44]}` | {pair('searches')} | {pair('reads')} | {pair('tokens')} | {pair('edit_s', 1)} | {pair('total_s', 1)} "
            f"| {len(on['map_has'])} of {row['changed']} | {empty['searches']}, {empty['reads']}, {shown(empty['tokens'], '', 0)}{unsteady} |"
        )
    return lines


def repositories(found):
    lines = [
        "| package | files | map made, ms | start, known | prompt, known | map given | start, nothing indexed | prompt, nothing indexed | map given |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in found["repositories"]:
        numbers = [f"{row[name]:,.0f}" for name in ("made_ms", "warm_start_ms", "warm_prompt_ms")] + [f"{row['warm_told']:.0%}"]
        numbers += [f"{row[name]:,.0f}" for name in ("cold_start_ms", "cold_prompt_ms")] + [f"{row['cold_told']:.0%}"]
        lines.append(f"| {row['package']} | {row['files']} | " + " | ".join(numbers) + " |")
    return lines


def page(found):
    rows = found["rows"]
    sizes = [row["files"] for row in found["repositories"]]
    is_useful, fixes = judged(found)
    less, _, more = changes(rows, effort)
    odds = chance(less, more)
    busy = max(found["load"]) > found["processors"]
    beside = "other work ran beside it, so times are long, and" if busy else "little ran beside it;"
    better = found["better_with_an_empty_map"]
    controlled = f"**An empty map was of use in {', '.join(better)}: the numbers above are not about the map.**" if better else (
        f"In all {len(rows)} tasks a plugin that gives an empty map leads to no fewer searches, reads or tokens than no plugin, and to no edit more."
    )  # fmt: skip
    built = "" if found["clean"] else ", with changes that were not committed"
    return "\n".join([
        "# Worksheet of the repository map",
        "",
        "Written by `harness/benches/worksheet/measure.py`; its numbers are those of [worksheet.json](worksheet.json).",
        "`harness/benches/worksheet/README.md` says what a session is, and what it cannot show.",
        "",
        "**The model is a script.** It knows only what it is sent, and is the same with and without the map; that a file it has read is the",
        "right one, it is told. So this says how far the text of the map leads, and not what a model makes of it.",
        "",
        "## Run",
        "",
        f"- date: {found['date']}; client: {found['client']}; commit: {found['commit'][:12]}{built}",
        f"- repositories: {', '.join(row['package'] for row in found['repositories'])}, {min(sizes)} to {max(sizes)} files; {len(rows)} tasks",
        f"- sessions of each task: {rows[0]['on']['sessions']} in each arm, in turn; of more than one, tokens and times are the median",
        f"- tokens: as `{found['tokenizer']}` counts the text of the requests, tools included",
        f"- machine: {found['processors']} processors, {found['machine']}; load average {min(found['load']):.1f} to {max(found['load']):.1f}: {beside}",
        "  differences of seconds are partly chance; counts and tokens are not",
        "- repo-map mode: off; on: the plugin alone, as `parity hook install --client opencode --no-mcp --no-skill` sets it up, in a repository",
        "  whose index is there",
        "",
        "## Quantitative metrics",
        "",
        *quantities(found),
        "",
        "## Qualitative assessment",
        "",
        *quality(found),
        "",
        "## Verdict",
        "",
        f"- Useful enough to keep testing? **{'yes' if is_useful else 'no'}** (more tasks have fewer searches and reads than have more, and no more end with a question: the rule of `plan.toml`)",
        f"- Is it shown that the map saves searches and reads? **{'yes' if odds < 0.05 and less > more else 'no'}**: fewer in {less} tasks and more in {more} happens by chance alone with probability {odds:.2f}",
        "- Immediate fixes required before wider use: " + ("; ".join(fixes) + "." if fixes else "none that these numbers show."),
        "",
        "## Tasks",
        "",
        "Without → with the map. A dash: no edit. The control is a plugin that gives an empty map: its searches, reads and tokens.",
        "",
        *tasks(found),
        "",
        controlled,
        "",
        "## Hooks",
        "",
        "Milliseconds, medians. *Start* and *prompt* are the two hooks that the plugin waits for before the first request.",
        "",
        *repositories(found),
    ]) + "\n"  # fmt: skip
