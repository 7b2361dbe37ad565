"""HTML by html5lib, the standard's tree construction in Python."""

import collections

import html5lib

from .digest import digest

_SPACE = "{http://www.w3.org/1999/xhtml}"
_LONGEST = 1000


def _text(content):
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if content.startswith(mark):
            return content.decode(encoding)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _folded(element):
    # Comments are no text; html5lib gives them a tag that is no string.
    parts = []
    stack = [(element, False)]
    while stack:
        one, tail = stack.pop()
        if tail:
            parts.append(one.tail or "")
            continue
        if one is not element:
            stack.append((one, True))
        if isinstance(one.tag, str):
            parts.append(one.text or "")
            stack.extend((child, False) for child in reversed(list(one)))
    return " ".join("".join(parts).split())[:_LONGEST]


def read(file, content):
    document = html5lib.parse(_text(content), treebuilder="etree", namespaceHTMLElements=True)
    found = collections.defaultdict(list)
    elements = 0
    for element in document.iter():
        if not isinstance(element.tag, str):
            continue
        elements += 1
        if element.tag.startswith(_SPACE):
            found[element.tag[len(_SPACE) :]].append(element)
    order = {element: index for index, element in enumerate(document.iter())}
    headings = sorted((order[one], one) for level in range(1, 7) for one in found[f"h{level}"])
    entities = [
        ["heading", index, int(one.tag[-1]), digest(_folded(one)), None]
        for index, (_, one) in enumerate(headings)
    ]
    links = []
    for one in found["a"]:
        address = (one.get("href") or "")[:_LONGEST].strip()
        if address and not address.startswith("#") and not address.lower().startswith("javascript:"):
            links.append(address)
    external = sum(one.lower().startswith(("http://", "https://", "//")) for one in links)
    styles = [
        (one.get("href") or "")[:_LONGEST].strip()
        for one in found["link"]
        if "stylesheet" in (one.get("rel") or "").lower().split()
    ]
    sources = {kind: [(one.get("src") or "")[:_LONGEST].strip() for one in found[kind]] for kind in ("img", "script")}
    for kind, texts in (
        ("link", links), ("image", sources["img"]), ("script", sources["script"]), ("stylesheet", styles),
    ):
        entities += [[kind, digest(text), None] for text in texts]
    for index, one in enumerate(found["form"]):
        fields = sum(
            child.tag in {_SPACE + name for name in ("input", "select", "textarea", "button")}
            for child in one.iter()
        )
        action = (one.get("action") or "")[:_LONGEST].strip()
        entities.append(["form", index, digest(action), (one.get("method") or "get").lower(), fields, None])
    counts = {
        "heading_count": len(headings),
        "link_count": len(links),
        "external_link_count": external,
        "anchor_count": len(found["a"]),
        "form_count": len(found["form"]),
        "image_count": len(found["img"]),
        "script_count": len(found["script"]),
        "stylesheet_count": len(styles),
        "table_count": len(found["table"]),
        "element_count": elements,
    }
    return f"html5lib {html5lib.__version__}", entities, counts
