// Starts Pyodide with NumPy from precompiled, verified files.

import { loadPyodide, type PyodideAPI } from "pyodide";
import { answering, RuntimeFiles } from "./files";
import type { OnBytes } from "./protocol";

const HOME = "/home/pyodide"; // where Python starts, and finds our own modules

type CreateModule = NonNullable<
  NonNullable<Parameters<typeof loadPyodide>[0]>["createPyodideModule"]
>;

export async function boot(afresh: boolean, onProgress: OnBytes): Promise<PyodideAPI> {
  const base = new URL(`${RUNTIME.folder}/`, import.meta.url).href;
  const files = new RuntimeFiles(base, RUNTIME.files, afresh, onProgress);
  const python = await answering(files, () =>
    loadPyodide({
      indexURL: base,
      packageBaseUrl: base,
      lockFileContents: RUNTIME.lock,
      packages: ["numpy"],
      createPyodideModule: moduleCreator(files, base),
      env: { HOME, MATPLOTLIBRC: `${HOME}/site_src/runtime/matplotlibrc` },
      stdout: () => {}, // loading a package reports itself here
    }),
  );
  writeSources(python);
  return python;
}

/** Pyodide's glue code: verified like the rest, then imported by its address, out of the cache. */
function moduleCreator(files: RuntimeFiles, base: string): CreateModule {
  const address = `${base}pyodide.asm.mjs`;
  const glue = files
    .response(address)
    ?.then((response) => response.arrayBuffer())
    .then(() => import(address) as Promise<{ default: CreateModule }>);
  glue?.catch(() => {}); // told by files.failure
  return async (settings) => {
    if (!glue) throw new Error("pyodide.asm.mjs is not among the files");
    return (await glue).default(settings);
  };
}

/** What runs cells, and what these may import, just as in a checkout. */
function writeSources(python: PyodideAPI): void {
  for (const [path, source] of Object.entries(SOURCES)) {
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, source);
  }
}
