"""Asks a server as the Python package does; prints one JSON object with what it answered.

python client.py PROGRAM ROOT MODE, where MODE is `legacy` (the handshake) or `auto` (the newest
revision that both sides know).
"""

import json
import os
import sys

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(program: str, root: str, mode: str) -> None:
    parameters = StdioServerParameters(command=program, args=["mcp", "--root", root], env=dict(os.environ))
    async with Client(stdio_client(parameters), mode=mode) as client:
        tools = await client.list_tools()
        made = await client.call_tool("repo_map", {"map_tokens": 500})
        definition = await client.call_tool("treesitter", {"operation": "definition", "symbol": "area_of"})
        refused = await client.call_tool("explore", {"file_path": "/etc/passwd"})
        templates = await client.list_resource_templates()
        resource = await client.read_resource("parity://file/shapes.py")
        unknown = None
        try:
            await client.call_tool("no_such_tool", {})
        except MCPError as error:
            unknown = error.error.code
        said = {
            "revision": client.protocol_version,
            "server": client.server_info.name,
            "tools": [tool.name for tool in tools.tools],
            "map": made.structured_content["text"],
            "definition": definition.structured_content["definitions"][0]["line"],
            "refused": refused.is_error,
            "templates": [template.uri_template for template in templates.resource_templates],
            "resource": resource.contents[0].text,
            "unknown": unknown,
        }
    print(json.dumps(said))


anyio.run(main, *sys.argv[1:4])
