// Looks at pages of reports in a headless Chromium, at the width of a phone and of a desktop, in light and dark.
//
//   node check.mjs SCREENSHOTS PAGE=GATES...
//
// GATES are the gates that the first screen must name, separated by commas; none for a page that passes. Each page
// must have its verdict and these names in the first screen, nothing that is wider than the screen, text that
// stands out from what is behind it (WCAG 2.1, level AA), and commands whose words are broken only where one is
// wider than the line. Before that, pages that miss one of these each must be refused: a check that finds nothing
// proves nothing. Exits with 0 if all is well, 1 if a page is not, 3 if no browser starts.

import { mkdirSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

// The package has the libraries that the browser needs, and unpacks them for this runtime only.
process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
const { default: chromium } = await import("@sparticuz/chromium");
const { default: puppeteer } = await import("puppeteer-core");

const SCREENS = [
  { name: "phone", width: 390, height: 844 },
  { name: "desktop", width: 1280, height: 800 },
];
const SCHEMES = ["light", "dark"];

// What is wrong with the page that is open, in sentences. Runs in the page.
function faults(gates) {
  const wrong = [];
  const { clientWidth, clientHeight, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) wrong.push(`the page is ${scrollWidth} px wide on ${clientWidth} px`);
  const inFirstScreen = (element) => {
    const box = element.getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= clientHeight;
  };
  const heading = document.querySelector("h1");
  if (!heading || !inFirstScreen(heading)) wrong.push("the first screen has no verdict");
  const named = [...document.querySelectorAll(".failing li")].filter(inFirstScreen);
  for (const gate of gates) {
    if (!named.some((item) => item.textContent.startsWith(gate))) {
      wrong.push(`the first screen does not name gate ${gate}`);
    }
  }
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const light = ([red, green, blue]) => {
    const linear = [red, green, blue].map((one) => one / 255)
      .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = channels(getComputedStyle(at).backgroundColor);
      if (found.length >= 3 && (found[3] ?? 1) === 1) return found;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
  };
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || ["STYLE", "SCRIPT", "title", "desc"].includes(element.tagName)) continue;
    if (!element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const svg = element instanceof SVGElement;
    const ink = channels(svg ? style.fill : style.color);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const key = `${ink} ${behind(element)} ${large}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const [one, other] = [light(ink), light(behind(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    const least = large ? 3 : 4.5;
    if (ratio < least) {
      const text = walker.currentNode.textContent.trim().slice(0, 30);
      wrong.push(`"${text}" has contrast ${ratio.toFixed(2)} and needs ${least}`);
    }
  }
  if (seen.size === 0) wrong.push("the page has no text");
  // A word of a command stays on one line where it fits on one.
  const pen = document.createElement("canvas").getContext("2d");
  for (const command of document.querySelectorAll(".command")) {
    const style = getComputedStyle(command);
    const room = command.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    pen.font = style.font;
    const texts = document.createTreeWalker(command, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        const fault = `a command breaks within ${word}`;
        if (lines.size > 1 && pen.measureText(word).width < room && !wrong.includes(fault)) wrong.push(fault);
      }
    }
  }
  return wrong;
}

// In front of one of these options the end of the line is near, whatever the font.
const broken = "a bb ccc dddd eeeee ffffff ggggggg".replaceAll(/\S+/g, "$& --set");

// Pages that miss one thing each, and what must be said of them.
const refused = [
  ["<h1>failed</h1><p style='width:2000px'>wide</p>", [], "px wide on"],
  ["<h1>failed</h1><p style='color:#999;background:#fff'>pale</p>", [], "has contrast 2.85"],
  ["<p style='height:3000px'>long</p><h1>failed</h1>", [], "has no verdict"],
  ["<h1>failed</h1><ul class='failing'><li>A2 other</li></ul>", ["A1"], "not name gate A1"],
  [`<h1>x</h1><pre class='command' style='width:90px;white-space:pre-wrap'>${broken}</pre>`, [], "breaks within --set"],
  ["<h1>x</h1><div style='height:3000px'></div><ul class='failing'><li>A1</li></ul>", ["A1"], "not name gate A1"],
];
const accepted = "<h1>failed</h1><ul class='failing'><li>A1 one</li></ul>";

const [screenshots, ...pages] = process.argv.slice(2);
if (!screenshots || pages.length === 0) {
  console.error("usage: node check.mjs SCREENSHOTS PAGE=GATES...");
  process.exit(2);
}
let browser;
try {
  const executablePath = await chromium.executablePath();
  // The sandbox of the browser needs rights that a container has not; it opens only what we wrote.
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"];
  browser = await puppeteer.launch({ executablePath, args, headless: "shell" });
} catch (error) {
  console.error(String(error).split("\n")[0]);
  process.exit(3);
}
console.log(`browser: ${await browser.version()}`);
mkdirSync(screenshots, { recursive: true });
// A browser that crashes has looked at nothing, which is not a fault of the page.
const giveUp = (error) => {
  console.error(`the browser ended early: ${String(error).split("\n")[0]}`);
  process.exit(3);
};
const answered = (asked) => asked.catch((error) => {
  if (/Target closed|Session closed|detached|crashed|Connection closed/i.test(String(error))) giveUp(error);
  throw error;
});
const page = await answered(browser.newPage());
let failed = 0;
const tell = (what, wrong) => {
  console.log(`${wrong.length ? "FAIL" : "ok  "} ${what}`);
  for (const one of wrong) console.log(`     ${one}`);
  failed += wrong.length ? 1 : 0;
};

await page.setViewport({ width: 390, height: 844 });
for (const [text, gates, sentence] of refused) {
  await page.setContent(`<!doctype html><html lang="en"><body>${text}`);
  const found = await answered(page.evaluate(faults, gates));
  const told = found.length === 1 && found[0].includes(sentence);
  tell(`refused: ${sentence}`, told ? [] : [`it said ${JSON.stringify(found)}`]);
}
await page.setContent(`<!doctype html><html lang="en"><body>${accepted}`);
tell("accepted: a page with nothing wrong", await answered(page.evaluate(faults, ["A1"])));

for (const argument of pages) {
  const at = argument.lastIndexOf("=");
  const [path, gates] = [argument.slice(0, at), argument.slice(at + 1).split(",").filter(Boolean)];
  const name = basename(path, ".html");
  for (const screen of SCREENS) {
    for (const scheme of SCHEMES) {
      await page.setViewport({ width: screen.width, height: screen.height });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await answered(page.goto(pathToFileURL(path).href, { waitUntil: "load" }));
      const wrong = await answered(page.evaluate(faults, gates));
      await page.screenshot({ path: `${screenshots}/${name}-${screen.name}-${scheme}.png` });
      // What is folded must hold the same when it is open.
      await answered(page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true))));
      const unfolded = await answered(page.evaluate(faults, []));
      const late = unfolded.filter((one) => !one.startsWith("the first screen"));
      tell(`${name}, ${screen.name}, ${scheme}`, [...new Set([...wrong, ...late])]);
    }
  }
}
await browser.close();
console.log(`${pages.length} pages, ${failed} findings, screenshots in ${screenshots}`);
process.exit(failed ? 1 : 0);
