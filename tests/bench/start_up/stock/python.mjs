// The baseline: Pyodide and NumPy exactly as published.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const started = loadPyodide({ stdout: () => {} }).then(async (py) => {
  await py.loadPackage("numpy", { messageCallback() {} });
  return py;
});

/** What some code prints. */
export async function run(code) {
  const py = await started;
  const printed = [];
  py.setStdout({ batched: (line) => printed.push(line) });
  await py.runPython(code);
  return printed.join("\n");
}
