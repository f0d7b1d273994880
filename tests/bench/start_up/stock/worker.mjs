// Stock Pyodide in a module worker.
import { run } from "./python.mjs";

addEventListener("message", async ({ data }) => postMessage(await run(data)));
