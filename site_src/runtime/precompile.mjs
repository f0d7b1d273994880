// Turns an archive of .py files into one of .pyc files, inside the very Python that will read them.
// Usage: node precompile.mjs PYODIDE_DIR RECIPE.json, the recipe a list of {from, to, root, slim}.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [pyodideDir, recipe] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${pyodideDir}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: pyodideDir });
const script = resolve(dirname(fileURLToPath(import.meta.url)), "precompile.py");
python.runPython(readFileSync(script, "utf8"));
const precompile = python.globals.get("precompile");
for (const { from, to, root, slim } of JSON.parse(readFileSync(recipe, "utf8"))) {
  python.FS.writeFile("/from.zip", readFileSync(from));
  precompile("/from.zip", "/to.zip", root, slim);
  writeFileSync(to, python.FS.readFile("/to.zip"));
}
