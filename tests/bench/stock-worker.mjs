// The baseline: Pyodide and NumPy exactly as published, in a module worker.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const python = loadPyodide({ stdout: () => {} });
const withNumpy = python.then((py) =>
  py.loadPackage("numpy", { messageCallback() {} }).then(() => py),
);

addEventListener("message", async ({ data }) => {
  const py = await withNumpy;
  const printed = [];
  py.setStdout({ batched: (line) => printed.push(line) });
  const start = performance.now();
  await py.runPython(data);
  postMessage({ printed: printed.join("\n"), milliseconds: performance.now() - start });
});
