// Asks a server as the TypeScript SDK does; prints one JSON object with what it answered.
// node client.js PROGRAM ROOT
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [program, root] = process.argv.slice(2);
const transport = new StdioClientTransport({
  command: program,
  args: ["mcp", "--root", root],
  env: process.env,
});
const client = new Client({ name: "typescript-client", version: "1" });
await client.connect(transport);
const call = (name, values) => client.callTool({ name, arguments: values });
const { tools } = await client.listTools();
const map = await call("repo_map", { map_tokens: 500 });
const definition = await call("treesitter", { operation: "definition", symbol: "area_of" });
const refused = await call("explore", { file_path: "/etc/passwd" });
const { resourceTemplates } = await client.listResourceTemplates();
const { contents } = await client.readResource({ uri: "parity://file/shapes.py" });
let unknown = null;
try {
  await call("no_such_tool", {});
} catch (error) {
  unknown = error.code;
}
console.log(
  JSON.stringify({
    server: client.getServerVersion().name,
    tools: tools.map((tool) => tool.name),
    map: map.structuredContent.text,
    definition: definition.structuredContent.definitions[0].line,
    refused: refused.isError === true,
    templates: resourceTemplates.map((template) => template.uriTemplate),
    resource: contents[0].text,
    unknown,
  }),
);
await client.close();
