// Starts Python with NumPy: from its image; where that does not fit, from bytecode; and where that
// fails too, from the files as Pyodide publishes them. The reader notices only the time.

import { loadPyodide, type PyodideAPI } from "pyodide";
import { answering, RuntimeFiles } from "./files";
import { type Coming, type CreateModule, type Options, restore } from "./image/restore";
import { bringLate } from "./late";
import type { OnBytes, Parts, Way } from "./protocol";

const BASE = new URL(`${RUNTIME.folder}/`, import.meta.url).href;
const GLUE = `${BASE}pyodide.asm.mjs`;
const OPTIONS: Options = {
  indexURL: BASE,
  packageBaseUrl: BASE,
  env: RUNTIME.env,
  stdout: () => {}, // loading a package reports itself here
  fsInit: async (files) => writeSources(files),
};

export interface Started {
  python: PyodideAPI;
  way: Way;
  parts: Parts | null; // for the next worker, if this one has fetched an image
}

/** kept: what an earlier worker left. Rejects with the first problem if no way leads to Python. */
export async function boot(afresh: boolean, kept: Parts | null, say: OnBytes): Promise<Started> {
  const ways = [
    () => (kept ? fromParts(kept) : fromImage(afresh, say)),
    () => fromArchives("bytecode", afresh, say),
    () => fromArchives("stock", afresh, say),
  ];
  const problems: unknown[] = [];
  for (const way of ways) {
    try {
      return await way();
    } catch (problem) {
      problems.push(problem);
    }
  }
  throw problems[0];
}

function fromImage(afresh: boolean, say: OnBytes): Promise<Started> {
  const files = new RuntimeFiles(BASE, RUNTIME.image.files, afresh, say);
  const open = (name: string) => files.response(BASE + name) as Promise<Response>;
  const compile = (name: string) => WebAssembly.compileStreaming(open(name));
  const parts = {
    python: compile("pyodide.asm.wasm"),
    objects: Promise.all(RUNTIME.image.objects.map(({ file }) => compile(file))),
    image: open("python.image").then((response) => response.arrayBuffer()),
  };
  return restored(parts, glueOf(files), files.verified);
}

async function fromParts({ python, objects, image }: Parts): Promise<Started> {
  const parts = {
    python: Promise.resolve(python),
    objects: Promise.resolve(objects),
    image: Promise.resolve(image),
  };
  const started = await restored(parts, importedGlue(), Promise.resolve());
  return { ...started, parts: null };
}

async function restored(
  parts: Coming,
  glue: Promise<CreateModule>,
  verified: Promise<unknown>,
): Promise<Started> {
  const options = { ...OPTIONS, lockFileContents: RUNTIME.bytecode.lock };
  const python = await restore(options, glue, parts, verified);
  python.loadedPackages.numpy = "its image";
  bringLate(python, BASE);
  const [code, objects, image] = await Promise.all([parts.python, parts.objects, parts.image]);
  return { python, way: "image", parts: { python: code, objects, image } };
}

/** An ordinary start, from archives of modules. */
async function fromArchives(
  way: "bytecode" | "stock",
  afresh: boolean,
  say: OnBytes,
): Promise<Started> {
  const { code, stdlib, lock } = RUNTIME[way];
  const files = new RuntimeFiles(BASE, RUNTIME[way].files, afresh, say);
  const glue = glueOf(files);
  const python = await answering(files, () =>
    loadPyodide({
      ...OPTIONS,
      indexURL: BASE + code,
      lockFileContents: lock,
      stdLibURL: BASE + stdlib,
      packages: ["numpy"],
      createPyodideModule: async (settings) => (await glue)(settings),
    }),
  );
  return { python, way, parts: null };
}

/** Pyodide's glue code: verified like the rest, then imported by its address, out of the cache. */
async function glueOf(files: RuntimeFiles): Promise<CreateModule> {
  await (await files.response(GLUE))?.arrayBuffer();
  return importedGlue();
}

async function importedGlue(): Promise<CreateModule> {
  return (await import(GLUE)).default;
}

/** What runs cells, and what these may import, just as in a checkout. */
function writeSources(files: PyodideAPI["FS"]): void {
  for (const [path, source] of Object.entries(SOURCES)) {
    files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    files.writeFile(path, source);
  }
}
