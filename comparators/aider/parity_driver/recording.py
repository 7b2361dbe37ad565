"""Recording: wrappers that watch one coder compute its map and change nothing."""

import functools
import hashlib
import json
import struct
import sys
import time

# These describe the ranking. It does not depend on the budget, so a later
# attempt with the same ranking names the first one instead of repeating it.
RANKING = (
    "personalization", "personalization_applied", "graph",
    "file_ranks", "definition_ranks", "prefit", "edges", "edges_sha256",
)  # fmt: skip
# A graph with more edges is told by their number and digest alone: listed for
# each chat state, millions of them would be nine tenths of a response.
LISTED_EDGES = 4096
ACCEPTED_ERROR = 0.15
# Frames below Aider's to_tree in its command line: script, main, two
# get_repo_map, get_ranked_tags_map and its uncached part.
SHIPPED_DEPTH = 6


class RankingIndex:
    """Finds repeated rankings across all cases of a run."""

    def __init__(self):
        self._seen = {}
        self._shared = {}

    def share(self, attempt, place):
        """Replace the ranking fields of ``attempt`` if an earlier place had the same."""
        if "prefit" not in attempt:
            return
        # A ranking that was not made again is the very same list.
        prefit = attempt["prefit"]
        first = self._shared.get(id(prefit), (None, None))[1]
        if first is None:
            ranking = [attempt.get(key) for key in RANKING]
            key = hashlib.sha256(json.dumps(ranking).encode()).digest()
            first = self._seen.setdefault(key, place)
            # The list is kept, so that no other one can get its id.
            self._shared[id(prefit)] = prefit, first
        if first != place:
            for name in RANKING:
                attempt.pop(name, None)
            attempt["ranking_same_as"] = first


class Recorder:
    """Wraps one coder's repository map for the duration of a ``with`` block.

    ``rankings`` keeps what Aider ranked, by everything that it ranks from but the files; the
    budget is not among it. None where files change or times matter.
    """

    def __init__(self, coder, case, networkx, tags, dump, rankings=None):
        self.map = coder.repo_map
        self.model = coder.main_model
        self.case = case
        self.networkx = networkx
        self.tags = tags
        self.dump = dump
        self.rankings = rankings
        self.attempts = []
        self.attempt = None
        self._ranker = {}

    def __enter__(self):
        self._pagerank = self.networkx.pagerank
        for name in (
            "get_repo_map", "get_ranked_tags_map", "get_ranked_tags_map_uncached",
            "get_ranked_tags", "to_tree", "token_count", "get_tags",
        ):  # fmt: skip
            shipped = getattr(self.map, name)
            setattr(self.map, name, functools.partial(getattr(self, "_" + name), shipped))
        self.networkx.pagerank = self._watch_pagerank
        return self

    def __exit__(self, *_):
        self.networkx.pagerank = self._pagerank

    # One call per step of the fall-back chain in Coder.get_repo_map.
    def _get_repo_map(
        self, shipped, chat, other, mentioned_fnames=None, mentioned_idents=None, force_refresh=False
    ):
        # The last step passes no mentions, and an override must not add any.
        if mentioned_fnames is not None and self.case.mentioned_fnames is not None:
            mentioned_fnames = set(self.case.mentioned_fnames)
        if mentioned_idents is not None and self.case.mentioned_idents is not None:
            mentioned_idents = set(self.case.mentioned_idents)
        self.attempt = {
            "chat_files": sorted(self.map.get_rel_fname(name) for name in chat),
            "other_files_count": len(other),
            "mentioned_fnames": sorted(mentioned_fnames or ()),
            "mentioned_idents": sorted(mentioned_idents or ()),
            "target_tokens": None,
            "search": [],
            "listing": None,
            "exact_token_count": None,
            "asked_cache": False,
            "cached": False,
            "exception": None,
        }
        self.attempts.append(self.attempt)
        text = shipped(chat, other, mentioned_fnames, mentioned_idents, force_refresh)
        # No target means that nothing was computed: a stored map, or none without other files.
        if text and self.attempt["target_tokens"] is None:
            prefix = (self.map.repo_content_prefix or "").format(other="other " if chat else "")
            self.attempt.update(cached=True, listing=text[len(prefix) :])
        listing = self.attempt["listing"]
        self.attempt["exact_token_count"] = self.model.token_count(listing) if listing else None
        return text

    def _get_ranked_tags_map(self, shipped, *arguments):
        self.attempt["asked_cache"] = True
        return shipped(*arguments)

    def _get_ranked_tags_map_uncached(self, shipped, chat, other, target, *mentions):
        attempt = self.attempt
        attempt["target_tokens"] = target
        self._ranker = {}
        started = time.monotonic()
        try:
            attempt["listing"] = shipped(chat, other, target, *mentions)
        except BaseException as error:
            attempt["exception"] = f"{type(error).__name__}: {str(error)[:200]}"
            raise
        finally:
            attempt["seconds"] = time.monotonic() - started
            self._finish_search(attempt["search"], target)
            self._finish_ranking()
        return attempt["listing"]

    def _get_ranked_tags(self, shipped, chat, other, mentioned_fnames, mentioned_idents, **options):
        if self.rankings is None:
            return shipped(chat, other, mentioned_fnames, mentioned_idents, **options)
        mentioned = frozenset(mentioned_fnames or ()), frozenset(mentioned_idents or ())
        kept = self.rankings.setdefault((tuple(chat), tuple(other), *mentioned), {})
        if "tags" not in kept:
            kept["tags"] = shipped(chat, other, mentioned_fnames, mentioned_idents, **options)
        self._ranker["kept"] = kept
        return list(kept["tags"])

    def _to_tree(self, shipped, tags, chat):
        if "prefit" not in self._ranker:
            # Aider never returns the whole list before fitting; its caller holds it.
            local = sys._getframe(1).f_locals
            self._ranker["prefit"] = list(local["ranked_tags"])
            self._ranker["special"] = len(local["special_fnames"])
            _match_recursion_room()
        self.attempt["search"].append({"middle": len(tags)})
        return shipped(tags, chat)

    def _token_count(self, shipped, text):
        count = shipped(text)
        search = self.attempt["search"]
        if search and "tokens" not in search[-1]:
            search[-1]["tokens"] = count
        return count

    def _get_tags(self, shipped, path, name):
        tags = shipped(path, name)
        self.tags.setdefault(name, [[tag.line, tag.name, tag.kind] for tag in tags])
        return tags

    def _watch_pagerank(self, graph, **options):
        # A second call means that no personalised file is in the graph.
        self._ranker.setdefault("personalization", options.get("personalization") or {})
        ranks = self._pagerank(graph, **options)
        self._ranker.update(graph=graph, ranks=ranks, applied="personalization" in options)
        return ranks

    def _finish_search(self, search, target):
        """Replay Aider's acceptance rule on the recorded probes."""
        best = 0
        for probe in search:
            if "tokens" not in probe:  # rendering this probe raised
                probe.update(tokens=None, pct_err=None, kept=False)
                continue
            tokens = probe["tokens"]
            probe["pct_err"] = abs(tokens - target) / target
            fits = best < tokens <= target
            probe["kept"] = bool(fits or probe["pct_err"] < ACCEPTED_ERROR)
            best = tokens if probe["kept"] else best

    def _finish_ranking(self):
        seen = self._ranker
        if "prefit" not in seen:
            return
        kept = seen.get("kept", {})
        if "fields" not in kept:
            self._describe_ranking(seen)
            kept["fields"] = {name: self.attempt[name] for name in RANKING if name in self.attempt}
            kept["prefit"] = seen["prefit"]
        elif kept["prefit"] != seen["prefit"]:
            raise AssertionError("Aider made another list of the same ranking")
        else:
            self.attempt.update(kept["fields"])

    def _describe_ranking(self, seen):
        ranks, graph = seen.get("ranks", {}), seen.get("graph")
        self.attempt["personalization"] = seen.get("personalization", {})
        self.attempt["personalization_applied"] = seen.get("applied", False)
        self.attempt["file_ranks"] = [[name, rank] for name, rank in ranks.items()]
        self.attempt["prefit"] = [
            [_stage(position, tag, seen["special"], ranks), *_entry(tag)]
            for position, tag in enumerate(seen["prefit"])
        ]
        if graph is None:
            self.attempt.update(graph={"nodes": 0, "edges": 0}, definition_ranks=[])
            return
        self.attempt["graph"] = {"nodes": graph.number_of_nodes(), "edges": graph.number_of_edges()}
        self.attempt["definition_ranks"] = _definition_ranks(graph)
        if not {"edges", "all_edges"} & set(self.dump):
            return
        self.attempt["edges_sha256"] = edges_digest(graph)
        if "all_edges" in self.dump or graph.number_of_edges() <= LISTED_EDGES:
            self.attempt["edges"] = [
                [source, target, data["ident"], data["weight"]]
                for source, target, data in graph.edges(data=True)
            ]


def _match_recursion_room():
    """Leave Aider the stack depth it has without us.

    It gives up on a map when rendering a deeply nested file exceeds Python's
    recursion limit, so our frames must not lower that depth.
    """
    frame, depth = sys._getframe(1), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(1000 + depth - SHIPPED_DEPTH)


def _entry(tag):
    return [tag[0]] if len(tag) == 1 else [tag.rel_fname, tag.line, tag.name, tag.kind]


def _stage(position, tag, special, ranks):
    if position < special:
        return 0
    if len(tag) > 1:
        return 1
    return 2 if tag[0] in ranks else 3


def edges_digest(graph):
    """sha256 over all edges in the order of the graph.

    An edge is source, target and identifier in UTF-8, each followed by a zero
    byte, and the weight as 8 bytes, IEEE 754, most significant first.
    """
    digest = hashlib.sha256()
    pack = struct.Struct(">d").pack
    for source, target, data in graph.edges(data=True):
        digest.update(f"{source}\0{target}\0{data['ident']}\0".encode() + pack(data["weight"]))
    return digest.hexdigest()


def _definition_ranks(graph):
    """Sum the rank Aider left on each edge, in its own order of addition."""
    total = {}
    for source in graph.nodes:
        for _source, target, data in graph.out_edges(source, data=True):
            if "rank" in data:
                key = (target, data["ident"])
                total[key] = total.get(key, 0.0) + data["rank"]
    ordered = sorted(total.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return [[name, ident, rank] for (name, ident), rank in ordered]
