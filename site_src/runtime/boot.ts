// Starts Pyodide with NumPy from precompiled, verified files.

import { loadPyodide, type PyodideAPI } from "pyodide";
import { RuntimeFiles } from "./files";

type CreateModule = NonNullable<
  NonNullable<Parameters<typeof loadPyodide>[0]>["createPyodideModule"]
>;

export async function boot(
  afresh: boolean,
  onProgress: (loaded: number, total: number) => void,
): Promise<PyodideAPI> {
  const base = new URL(`${RUNTIME.folder}/`, import.meta.url).href;
  const files = new RuntimeFiles(base, RUNTIME.files, afresh, onProgress);
  const { fetch } = globalThis;
  addEventListener("unhandledrejection", quiet);
  // Pyodide takes addresses, not bytes: while it starts, its requests are answered with our files.
  globalThis.fetch = async (input, init) =>
    files.response(input instanceof Request ? input.url : String(input)) ?? fetch(input, init);
  let python: PyodideAPI | null = null;
  try {
    const started = loadPyodide({
      indexURL: base,
      packageBaseUrl: base,
      lockFileContents: RUNTIME.lock,
      packages: ["numpy"],
      createPyodideModule: moduleCreator(files, base),
      stdout: () => {}, // loading a package reports itself here
    });
    // A file that fails leaves Pyodide waiting for ever, so its own promise alone is not enough.
    python = await Promise.race([started, files.failure]);
    writeSnippets(python);
    return python;
  } finally {
    globalThis.fetch = fetch;
    if (python) removeEventListener("unhandledrejection", quiet);
  }
}

/** A failing file leaves rejected promises behind, in Pyodide and here; one message tells it all. */
function quiet(event: PromiseRejectionEvent): void {
  event.preventDefault();
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

/** Cells may import what pages include, just as a checkout may. */
function writeSnippets(python: PyodideAPI): void {
  for (const [path, source] of Object.entries(SNIPPETS)) {
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, source);
  }
}
