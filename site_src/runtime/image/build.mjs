// Makes the image of a started Python. Usage: node build.mjs RECIPE.json
// The recipe: {pyodide, stdlib, packages, objects, ours, warm, env, target}; `packages` is a folder
// of unpacked wheels, `objects` the shared objects in it that are loaded, in this order, `ours` our
// own modules: path in Python's home → file here.
import crypto from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { encode } from "./delta.ts";
import { loadSharedObjects, offsetsOf, printOf, SITE_PACKAGES, topOf } from "./layout.ts";

const recipe = JSON.parse(readFileSync(process.argv[2], "utf8"));
process.argv[1] = "./this.program"; // as Emscripten calls it in a browser
const fromPyodide = (name) => import(pathToFileURL(join(recipe.pyodide, name)).href);
const { loadPyodide } = await fromPyodide("pyodide.mjs");
const { default: createModule } = await fromPyodide("pyodide.asm.mjs");
const ENOUGH = new Error("the fresh memory is taken");
const options = { indexURL: recipe.pyodide, env: recipe.env, stdout: () => {} };

// The same inputs give the same bytes: no chance, no clock.
const calm = { chance: 0, clock: 0, step: 0, env: {}, blind: false };
// Whatever depends on where a Python is started differs between the two, and is kept in the image.
// Its clock goes on at each look, as real ones do now and then: mimalloc keeps how far.
const other = { chance: 255, clock: 1e12, step: 7, env: { ELSEWHERE: "yes" }, blind: true };

const elsewhere = await freshMemory(other);
const fresh = await freshMemory(calm);
const { inner, offsets } = await startedPython();
const header = {
  build: inner.API.config.BUILD_ID,
  fresh: fresh.top,
  print: printOf(inner, fresh.top),
  memory: inner.HEAPU8.length,
  table: inner.wasmTable.length,
  offsets,
  objects: inner.API.serializeHiwireState(undefined),
};
writeFileSync(recipe.target, encode(header, [fresh.memory, elsewhere.memory], inner.HEAPU8));

/** What a browser has in memory before the image is laid over it: Pyodide stopped before Python. */
async function freshMemory(circumstances) {
  let found;
  const restore = arrange(circumstances);
  const createPyodideModule = async (settings) => {
    settings.preRun.push(load);
    const inner = await createModule(settings);
    found = { memory: inner.HEAPU8.slice(), top: topOf(inner) };
    throw ENOUGH;
  };
  const env = { ...recipe.env, ...circumstances.env };
  try {
    // A snapshot of any length keeps Python from starting; it is never looked at.
    const _loadSnapshot = new Uint8Array(64);
    await loadPyodide({ ...options, env, _loadSnapshot, createPyodideModule });
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  restore();
  return found;
}

async function startedPython() {
  let offsets;
  const createPyodideModule = (settings) => {
    settings.preRun.push((inner) => {
      load(inner);
      offsets = offsetsOf(inner);
    });
    return createModule(settings);
  };
  const stdLibURL = recipe.stdlib;
  const python = await loadPyodide({
    ...options,
    stdLibURL,
    createPyodideModule,
    _makeSnapshot: true,
  });
  unpack(python.FS);
  for (const [path, file] of Object.entries(recipe.ours)) {
    python.FS.mkdirTree(dirname(path));
    python.FS.writeFile(path, readFileSync(file));
  }
  python.runPython(readFileSync(recipe.warm, "utf8"));
  zeroFreeMemory(python._module);
  return { inner: python._module, offsets };
}

function load(inner) {
  const read = (path) => new Uint8Array(readFileSync(join(recipe.packages, path)));
  loadSharedObjects(inner, recipe.objects, recipe.objects.map(read));
}

function unpack(fs) {
  const entries = readdirSync(recipe.packages, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const from = join(entry.parentPath, entry.name);
    const to = `${SITE_PACKAGES}${from.slice(recipe.packages.length).replaceAll("\\", "/")}`;
    fs.mkdirTree(to.slice(0, to.lastIndexOf("/")));
    fs.writeFile(to, readFileSync(from));
  }
}

/** Free memory still holds what was there: taken, zeroed and given back, it costs no bytes. */
function zeroFreeMemory(inner) {
  const top = topOf(inner);
  const taken = [];
  for (const size of [1 << 20, 1 << 18, 1 << 16, 1 << 14, 1 << 12, 1 << 10, 256, 64, 24]) {
    for (;;) {
      const start = inner._malloc(size);
      const isFresh = start + size > top; // beyond what Python has used
      if (isFresh) inner._free(start);
      if (isFresh || !start) break;
      inner.HEAPU8.fill(0, start, start + size);
      taken.push(start);
    }
  }
  for (const start of taken.reverse()) inner._free(start);
}

/** Arranges what a start depends on. blind: Emscripten, which looks through its table of functions
 * once, finds none there and numbers all of them anew, as other engines do with some.
 * Returns a function that ends the blindness. */
function arrange({ chance, clock, step, blind }) {
  crypto.randomFillSync = (array) => array.fill(chance); // Emscripten's source of it in Node
  let now = clock; // milliseconds
  const look = () => {
    now += step;
    return now;
  };
  Date.now = look;
  performance.now = look;
  const { get } = WebAssembly.Table.prototype;
  let unseen = blind ? undefined : 0;
  WebAssembly.Table.prototype.get = function (place) {
    unseen ??= this.length;
    return unseen-- > 0 ? null : get.call(this, place);
  };
  return () => {
    WebAssembly.Table.prototype.get = get;
  };
}
