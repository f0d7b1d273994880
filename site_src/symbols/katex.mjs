// Renders formulas: a JSON line in, {"tex", "display"}; a JSON line out, {"html"} or {"error"}.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import katex from "katex";

const symbols = JSON.parse(readFileSync(new URL("symbols.json", import.meta.url), "utf8"));
const macros = Object.fromEntries(
  symbols.map(({ key, letter }) => [`\\${letter}`, `\\htmlClass{sym-${key}}{${letter}}`]),
);
const DISPLAY = '<span class="katex-display">';
// On a phone it may be wider than the page: the keyboard scrolls what can have the focus.
const SCROLLABLE = '<span class="katex-display" tabindex="0" role="group" aria-label="Formula">';

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  console.log(JSON.stringify(render(tex, display)));
}

function render(tex, displayMode) {
  try {
    const options = { displayMode, macros: { ...macros }, trust: true, strict: false };
    const html = katex.renderToString(tex, options);
    // The TeX inside is for copying; search engines and our own search would take it for text.
    return { html: html.replace(/<annotation.*?<\/annotation>/s, "").replace(DISPLAY, SCROLLABLE) };
  } catch (error) {
    return { error: error.message };
  }
}
