// The archives that the image of Python leaves out. Python asks for them in the middle of an import,
// where it cannot wait for a promise: so they are fetched in one piece, as only a worker may.

import { sha256 } from "@noble/hashes/sha2.js";
import type { PyodideAPI } from "pyodide";
import { hexadecimal, missing, problemOf } from "./files";
import type { PythonFile } from "./protocol";

/** Lets Python bring what its image left out, from the folder of its files. */
export function bringLate(pyodide: PyodideAPI, base: string): void {
  let afresh = false; // once a copy was bad, the browser's cache may hold it
  const bring = (archive: "numpy" | "stdlib", path: string): string => {
    const name = RUNTIME.bytecode[archive];
    const expected = RUNTIME.bytecode.files[name] as PythonFile;
    const { content, problem } = fetchNow(base + name, expected, afresh);
    afresh = problem !== "";
    if (problem) return `${name} ${problem}. Check the connection and run this again.`;
    pyodide.FS.writeFile(path, content);
    return "";
  };
  pyodide.pyimport("site_src.runtime.late_modules").complete(bring);
}

/** A file's content, or in what way it is not the expected one. */
export function fetchNow(address: string, expected: PythonFile, afresh: boolean) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  if (afresh) request.setRequestHeader("cache-control", "no-cache");
  const content = () => new Uint8Array(request.response as ArrayBuffer);
  try {
    request.send();
  } catch {
    return { content: content(), problem: "could not be fetched" };
  }
  if (request.status !== 200) return { content: content(), problem: missing(request.status) };
  const found = { size: content().length, sha256: hexadecimal(sha256(content())) };
  return { content: content(), problem: problemOf(found, expected) };
}
