"""XML by libxml2 (lxml): no entity is expanded, nothing is fetched."""

import io

from lxml import etree

from .digest import digest


def _name(element):
    local = etree.QName(element).localname
    return f"{element.prefix}:{local}" if element.prefix else local


def _attribute(element, name):
    parts = etree.QName(name)
    if not parts.namespace:
        return {parts.localname}
    if parts.namespace == "http://www.w3.org/XML/1998/namespace":
        return {f"xml:{parts.localname}"}
    prefixes = [prefix for prefix, uri in element.nsmap.items() if uri == parts.namespace and prefix]
    return {f"{prefix}:{parts.localname}" for prefix in prefixes}


def read(file, content):
    elements, attributes, namespaces = {}, {}, {}
    total = total_attributes = max_depth = depth = 0
    ambiguous = False
    root = None
    events = etree.iterparse(
        io.BytesIO(content), events=("start", "end", "start-ns"), resolve_entities=False,
        no_network=True, load_dtd=False, huge_tree=True,
    )
    for event, value in events:
        if event == "start-ns":
            namespaces[(value[0] or "default", value[1])] = None
        elif event == "start":
            name = _name(value)
            root = root or name
            total += 1
            max_depth = max(max_depth, depth)
            depth += 1
            elements[name] = elements.get(name, 0) + 1
            total_attributes += len(value.attrib)
            for attribute in value.attrib:
                written = _attribute(value, attribute)
                ambiguous |= len(written) != 1
                attributes[(name, min(written, default=attribute))] = None
        else:
            depth -= 1
            value.clear()
    if ambiguous:
        raise ValueError("two prefixes stand for one namespace")
    entities = [["element", digest(name), None] for name in elements]
    entities += [["attribute", digest(name), digest(attribute), None] for name, attribute in attributes]
    entities += [["namespace", digest(prefix), digest(uri), None] for prefix, uri in namespaces]
    counts = {
        "total_elements": total,
        "total_attributes": total_attributes,
        "max_depth": max_depth,
        "unique_elements": len(elements),
    }
    return "lxml", entities, counts
