// A miniature of Volt's dispatcher, written for the tests of our adapter: the same module path, export and
// shape of answers, and explorers of a few lines.
import { readFileSync } from "node:fs";

const lines = (text) => text.split("\n");

function python(path, text) {
  const functions = lines(text).filter((line) => line.startsWith("def ")).length;
  const name = path.split("/").pop();
  // A field that nobody else has, for one file.
  const extra = name === "cli.py" ? "Moon phase: full\n" : "";
  const summary = `File: ${name}\nFormat: Python\n${extra}`;
  return { success: true, summary, metadata: { functions }, tokenCount: summary.length / 4 };
}

export const ExploreDispatcher = {
  async explore({ filePath, model }) {
    console.log("an explorer that talks");
    const text = readFileSync(filePath, "utf8");
    if (filePath.endsWith(".py")) return { ...python(filePath, text), explorerUsed: "python" };
    // As Volt does with plain text: there is no summary without a model.
    await model.generate(text);
    return { success: true, summary: "", metadata: {}, tokenCount: 0, explorerUsed: "text" };
  },
};
