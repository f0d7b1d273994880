// Starts Python from its image: it is as it was when the image was taken, with NumPy imported.

import { loadPyodide, type PyodideAPI } from "pyodide";
import { answering } from "../files";
import type { Parts } from "../protocol";
import { decode, type Header } from "./delta";
import { adopt, fill, type Inner, loadSharedObjects, printOf, trampolineIndex } from "./layout";

export type Options = NonNullable<Parameters<typeof loadPyodide>[0]>;
export type CreateModule = NonNullable<Options["createPyodideModule"]>;
type Settings = Parameters<CreateModule>[0] & { preRun: ((inner: Inner) => void)[] };

/** The parts on their way: each is used as soon as it is there. */
export type Coming = { [Part in keyof Parts]: Promise<Parts[Part]> };

/** Pyodide's own request for its code is answered so: with code that is compiled already. */
interface Compiled {
  code: WebAssembly.Module;
  fail(error: unknown): void;
}

const answers = new WeakMap<Response, Compiled>();
const { instantiateStreaming } = WebAssembly;

WebAssembly.instantiateStreaming = async (source, imports) => {
  const answer = await source;
  const compiled = answers.get(answer);
  if (!compiled) return instantiateStreaming(answer, imports);
  try {
    const { code } = compiled;
    return { module: code, instance: await WebAssembly.instantiate(code, imports) };
  } catch (error) {
    compiled.fail(error); // Pyodide would note it only, and wait for ever
    throw error;
  }
};

/** Rejects where this engine or these parts do not fit the image. */
export function restore(
  options: Options,
  create: Promise<CreateModule>,
  { python, objects, image }: Coming,
  verified: Promise<unknown>,
): Promise<PyodideAPI> {
  const { promise, resolve, reject } = Promise.withResolvers<PyodideAPI>();
  Promise.all([python, objects, image]).catch(reject);
  const createPyodideModule = async (settings: Parameters<CreateModule>[0]) => {
    loadObjects(settings as Settings, objects, reject);
    const module = await (await create)(settings);
    prepare(module as unknown as Inner, await image);
    return module;
  };
  const response = (address: string) => {
    if (!address.startsWith(options.indexURL as string)) return undefined;
    return address.endsWith(".wasm") ? answerWith(python, reject) : Promise.resolve(new Response());
  };
  return answering({ response, verified }, () => {
    // Any snapshot keeps Pyodide from starting Python; ours is laid in its place.
    const _loadSnapshot = new Uint8Array(64);
    loadPyodide({ ...options, _loadSnapshot, createPyodideModule }).then(resolve, reject);
    return promise;
  });
}

/** Lets Pyodide, when it asks for a snapshot, have the image laid over its memory. */
function prepare(inner: Inner, image: ArrayBuffer): void {
  const { header, lay } = decode(new Uint8Array(image));
  makeRoom(inner, header);
  inner.API.restoreSnapshot = () => {
    const own = inner.HEAP32[trampolineIndex(inner)] as number;
    lay(inner.HEAPU8);
    if (printOf(inner, header.fresh) !== header.print) throw new Error("another fresh memory");
    inner.HEAP32[trampolineIndex(inner)] = own;
    return header.objects;
  };
}

/** Never comes where there is no code: Pyodide need not tell of it. */
function answerWith(python: Coming["python"], fail: Compiled["fail"]): Promise<Response> {
  return new Promise((resolve) => {
    python.then((code) => {
      const answer = new Response();
      answers.set(answer, { code, fail });
      resolve(answer);
    }, fail);
  });
}

const paths = RUNTIME.image.objects.map(({ path }) => path);

/** Lets the shared objects be loaded just before Python would start. */
function loadObjects(settings: Settings, objects: Coming["objects"], fail: Compiled["fail"]): void {
  settings.preRun.push((inner) => {
    inner.addRunDependency("shared objects");
    objects
      .then((codes) => loadSharedObjects(inner, paths, codes))
      .then(() => inner.removeRunDependency("shared objects"))
      .catch(fail);
  });
}

/** Makes memory and table those of the image. Throws if they cannot be. */
function makeRoom(inner: Inner, header: Header): void {
  if (header.build !== inner.API.config.BUILD_ID) throw new Error("another build of Pyodide");
  inner.growMemory(header.memory);
  if (inner.HEAPU8.length !== header.memory) throw new Error("the memory does not grow alike");
  adopt(inner, header.offsets);
  fill(inner.wasmTable, header.table);
}
