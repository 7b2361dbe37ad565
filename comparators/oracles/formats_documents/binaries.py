"""Images, PDF, executables and archives."""

import collections
import gzip
import os
import tarfile
import zipfile
from importlib.metadata import version

import pefile
import pypdf
from elftools.elf.elffile import ELFFile
from PIL import Image

Image.MAX_IMAGE_PIXELS = None


def image(path, digest):
    with Image.open(path) as picture:
        # An icon's or a TIFF file's frames are pictures beside each other, no animation.
        animated = picture.format in ("GIF", "PNG", "WEBP", "AVIF") and getattr(
            picture, "is_animated", False)
        kind = {"mpo": "jpeg"}.get(picture.format.lower(), picture.format.lower())
        width, height = picture.size
    entities = [["format", kind, None], ["animated", bool(animated), None]]
    entities += [["width", width, None], ["height", height, None]]
    return entities, {"width": width, "height": height}


def pdf(path, digest):
    reader = pypdf.PdfReader(path)
    encrypted = reader.is_encrypted
    entities = [["encrypted", bool(encrypted), None]]
    if encrypted:
        return entities, {}
    for key in ("title", "author"):
        # The parser's own accessor of the author overlooks a text that stands in an object of its own.
        value = (reader.metadata or {}).get(f"/{key.capitalize()}")
        value = str(value.get_object()).strip() if value is not None else ""
        if value:
            entities.append([key, digest(value), None])
    waiting = list(reader.outline)
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(one)
        else:
            entities.append(["bookmark", digest(one.title), None])
    return entities, {"page_count": len(reader.pages)}


def executable(path, digest):
    with open(path, "rb") as file:
        head = file.read(4)
        if head[:2] == b"MZ":
            return portable(path, digest)
        file.seek(0)
        program = ELFFile(file)
        entities = [["class", program.elfclass, None]]
        # Entry 0 of the table is reserved for what has no section and is none itself.
        sections = list(program.iter_sections())[1:]
        for section in sections:
            entities.append(["section", digest(section.name), None])
        counts = collections.Counter(section_count=len(sections))
        counts["segment_count"] = program.num_segments()
        dynamic = program.get_section_by_name(".dynamic")
        for tag in dynamic.iter_tags() if dynamic else []:
            if tag.entry.d_tag == "DT_NEEDED":
                entities.append(["dependency", digest(tag.needed), None])
        table = program.get_section_by_name(".dynsym")
        if program["e_type"] == "ET_REL":
            table = program.get_section_by_name(".symtab")
        for symbol in table.iter_symbols() if table else []:
            if symbol["st_info"]["bind"] == "STB_LOCAL" or not symbol.name:
                continue
            missing = symbol["st_shndx"] == "SHN_UNDEF"
            counts["imported_symbol_count" if missing else "exported_symbol_count"] += 1
        counts.setdefault("imported_symbol_count", 0)
        counts.setdefault("exported_symbol_count", 0)
        return entities, dict(counts)


def portable(path, digest):
    program = pefile.PE(path)
    entities = [["class", 64 if program.PE_TYPE == 0x20B else 32, None]]
    for section in program.sections:
        name = section.Name.rstrip(b"\0").decode("utf-8", "replace")
        entities.append(["section", digest(name), None])
    for library in getattr(program, "DIRECTORY_ENTRY_IMPORT", []):
        entities.append(["dependency", digest(library.dll.decode()), None])
    return entities, {"section_count": len(program.sections)}


def packed_name(path):
    """The name that a gzip file says its content had (RFC 1952, FNAME), without any folder; else
    its own without the last suffix."""
    with open(path, "rb") as file:
        head = file.read(1 << 16)
    at = 10
    if head[3] & 4:
        at += 2 + int.from_bytes(head[10:12], "little")
    if head[3] & 8:
        return head[at:head.index(0, at)].decode("latin-1").rsplit("/", 1)[-1]
    return os.path.basename(path).rsplit(".", 1)[0]


def archive(path, digest):
    entities = []
    total = 0
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as opened:
            for one in opened.infolist():
                entities.append(["entry", digest(one.orig_filename), one.file_size, None])
                total += one.file_size
    else:
        try:
            with tarfile.open(path) as opened:
                for one in opened:
                    size = one.size if one.isreg() else 0
                    name = one.name + ("/" if one.isdir() else "")
                    entities.append(["entry", digest(name), size, None])
                    total += size
        except tarfile.ReadError:
            with gzip.open(path) as opened:
                while chunk := opened.read(1 << 20):
                    total += len(chunk)
            entities.append(["entry", digest(packed_name(path)), total, None])
    return entities, {"entry_count": len(entities), "total_uncompressed_size": total}


FORMATS = {
    "image": (image, "Pillow " + version("Pillow")),
    "pdf": (pdf, "pypdf " + version("pypdf")),
    "executable": (executable, "pyelftools " + version("pyelftools")),
    "archive": (archive, "Python's zipfile and tarfile"),
}
