"""Markdown, LaTeX and SQLite.

Each reader returns entities and counts. An entity is [kind, identity…, line]; the line is 1-based,
or null where the format or the parser has none.
"""

import collections
import os
import re
import sqlite3
from importlib.metadata import version

from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from pylatexenc.latexwalker import (
    LatexEnvironmentNode,
    LatexMacroNode,
    LatexWalker,
)

SECTIONS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
REFERENCES = ("ref", "eqref", "pageref", "autoref", "nameref", "cref", "Cref", "vref")
CITATIONS = ("cite", "citep", "citet", "nocite", "parencite", "textcite", "autocite", "footcite")


def text_of(path):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def folded(text):
    return " ".join(text.split())


def markdown_parser():
    parser = MarkdownIt("commonmark").enable("table")
    parser.use(front_matter_plugin).use(footnote_plugin)
    # Targets are compared as they are written, and no scheme is refused.
    parser.normalizeLink = lambda url: url
    parser.validateLink = lambda url: True
    return parser


def target_of(url):
    """Where a link points to: into the file itself, to another place with its scheme, or to a file
    beside it."""
    if url.startswith("#"):
        return "anchor"
    scheme, mark, rest = url.partition(":")
    known = scheme.lower() in ("mailto", "tel", "data", "javascript")
    if url.startswith("//") or (mark and (rest.startswith("//") or known)):
        return "external"
    return "internal"


def markdown(path, digest):
    environment = {}
    tokens = markdown_parser().parse(text_of(path), environment)
    entities = []
    counts = collections.Counter()
    for index, token in enumerate(tokens):
        line = token.map[0] + 1 if token.map else None
        if token.type == "heading_open":
            text = folded(tokens[index + 1].content)
            entities.append(["heading", int(token.tag[1]), digest(text), line])
            counts["total_headings"] += 1
        elif token.type == "fence":
            words = re.split(r"[\s,{]+", token.info.strip())
            language = next((word.strip(".}").lower() for word in words if word), "")
            entities.append(["fence", digest(language) if language else None, line])
            counts["fence_count"] += 1
            counts["code_block_count"] += 1
        elif token.type == "code_block":
            counts["code_block_count"] += 1
        elif token.type == "table_open":
            counts["table_count"] += 1
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            counts["list_count"] += 1
        elif token.type == "inline":
            for child in token.children:
                if child.type == "link_open":
                    url = child.attrs["href"]
                    entities.append([f"{target_of(url)}_link", digest(url), None])
                    counts["link_count"] += 1
                elif child.type == "image":
                    entities.append(["image", digest(child.attrs["src"]), None])
                    counts["image_count"] += 1
    front = any(token.type == "front_matter" for token in tokens)
    entities.append(["front_matter", front, None])
    # Of several definitions of one label the first holds; the others define nothing.
    for reference in environment.get("references", {}).values():
        entities.append(["reference", digest(reference["href"]), None])
        counts["reference_count"] += 1
    for name in ("total_headings", "fence_count", "code_block_count", "table_count", "list_count",
                 "link_count", "image_count", "reference_count"):
        counts.setdefault(name, 0)
    return entities, dict(counts)


def latex(path, digest):
    text = text_of(path)
    if path.endswith(".bib"):
        return bibliography(text, digest)
    walker = LatexWalker(text, tolerant_parsing=True)
    nodes, _, _ = walker.get_latex_nodes()
    entities = []
    counts = collections.Counter()

    def line_of(node):
        return walker.pos_to_lineno_colno(node.pos)[0]

    def argument(node):
        """The last argument in braces, as written."""
        if not node.nodeargd:
            return None
        groups = [one for one in node.nodeargd.argnlist or [] if one is not None]
        groups = [one for one in groups if one.latex_verbatim().startswith("{")]
        return groups[-1].latex_verbatim()[1:-1] if groups else None

    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        below = list(getattr(node, "nodelist", None) or [])
        if getattr(node, "nodeargd", None):
            below = [one for one in node.nodeargd.argnlist or [] if one is not None] + below
        waiting.extend(reversed(below))
        if isinstance(node, LatexEnvironmentNode):
            entities.append(["environment", digest(node.environmentname), line_of(node)])
            counts["environment_count"] += 1
        elif isinstance(node, LatexMacroNode):
            name, value = node.macroname, argument(node)
            if value is None:
                continue
            if name in SECTIONS:
                title = folded(value)
                title = title if len(title) <= 300 else title[:297] + "..."
                entities.append(["section", name, digest(title), line_of(node)])
                counts["section_count"] += 1
            elif name == "label":
                entities.append(["label", digest(folded(value)), line_of(node)])
                counts["label_count"] += 1
            elif name in REFERENCES or name in CITATIONS:
                kind = "reference" if name in REFERENCES else "citation"
                for key in filter(None, map(folded, value.split(","))):
                    entities.append([kind, digest(key), line_of(node)])
                    counts[f"{kind}_count"] += 1
    for name in ("environment", "section", "label", "reference", "citation"):
        counts.setdefault(f"{name}_count", 0)
    return entities, dict(counts)


def bibliography(text, digest):
    """Entries of a BibTeX file whose braces all have partners."""
    entities = []
    for found in re.finditer(r"^[ \t]*@(\w+)\s*[{(]\s*([^,\s}]*)\s*[,})]", text, re.M):
        kind = found.group(1).lower()
        if kind in ("comment", "string", "preamble"):
            continue
        line = text.count("\n", 0, found.start(1)) + 1
        entities.append(["bib_entry", kind, digest(found.group(2)), line])
    return entities, {"bibliography_item_count": len(entities)}


def sqlite(path, digest):
    name = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    connection = sqlite3.connect(f"file:{name}?mode=ro&immutable=1", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")

    def query(statement, *values):
        return connection.execute(statement, values).fetchall()

    entities = []
    rows = columns = 0
    tables = query(
        "select name from sqlite_master where type='table' and name not like 'sqlite_%'")
    for (table,) in tables:
        quoted = table.replace('"', '""')
        (count,) = query(f'select count(*) from "{quoted}"')[0]
        rows += count
        entities.append(["table", digest(table), None])
        for row in query("select name, type, \"notnull\", pk from pragma_table_info(?)", table):
            column, kind, required, key = row
            columns += 1
            entities.append(["column", digest(table), digest(column), digest(kind or "BLOB"), None])
            if required:
                entities.append(["not_null", digest(table), digest(column), None])
        keys = query("select name from pragma_table_info(?) where pk > 0 order by pk", table)
        if keys:
            joined = ",".join(column for (column,) in keys)
            entities.append(["primary_key", digest(table), digest(joined), None])
        foreign = collections.defaultdict(list)
        for key, target, name, to in query(
                'select id, "table", "from", "to" from pragma_foreign_key_list(?)'
                " order by id, seq", table):
            foreign[(key, target)].append((name, to))
        for (_, target), pairs in foreign.items():
            # A key that names no columns of its target means the primary key.
            to = [column for _, column in pairs if column is not None]
            target = f"{target}({', '.join(to)})" if to else target
            names = ",".join(name for name, _ in pairs)
            identity = [digest(table), digest(names), digest(target)]
            entities.append(["foreign_key", *identity, None])
        for (index,) in query("select name from pragma_index_list(?) where origin='u'", table):
            names = query("select name from pragma_index_info(?) order by seqno", index)
            joined = ",".join(column for (column,) in names)
            entities.append(["unique", digest(table), digest(joined), None])
    kinds = collections.Counter()
    for kind, name, table in query(
            "select type, name, tbl_name from sqlite_master where type<>'table'"
            " and name not like 'sqlite_%'"):
        kinds[kind] += 1
        identity = [digest(name)] if kind == "view" else [digest(name), digest(table)]
        entities.append([kind, *identity, None])
    connection.close()
    return entities, {
        "total_tables": len(tables), "total_columns": columns, "total_rows": rows,
        "total_indexes": kinds["index"], "total_views": kinds["view"],
        "total_triggers": kinds["trigger"],
    }


FORMATS = {
    "markdown": (markdown, "markdown-it-py " + version("markdown-it-py")),
    "latex": (latex, "pylatexenc " + version("pylatexenc")),
    "sqlite": (sqlite, "SQLite " + sqlite3.sqlite_version),
}
