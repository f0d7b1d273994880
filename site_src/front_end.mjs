// Bundles scripts and styles. Usage: node front_end.mjs CONSTANTS.json OUTPUT_DIR
// CONSTANTS: the values of what built.d.ts and runtime/built.d.ts declare.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [constants, outdir] = process.argv.slice(2);
// The fonts that the first screen of every page needs: asked for at once, so that no text is reset.
const FIRST_FONTS = /^(source-serif-4|jetbrains-mono)-latin-wght-normal-/;
const { KNOWN_NAMES, OFFLINE, SEARCH_ENGINE, ...workerConstants } = JSON.parse(
  readFileSync(constants, "utf8"),
);
const common = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  outdir: resolve(outdir),
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  metafile: true,
  logLevel: "error",
  legalComments: "linked",
  loader: { ".woff2": "file" },
};

/** KaTeX lists each font in three formats; every browser that runs the site reads the first. */
const onlyWoff2 = {
  name: "only-woff2",
  setup(build) {
    build.onLoad({ filter: /katex\.css$/ }, ({ path }) => ({
      loader: "css",
      contents: readFileSync(path, "utf8").replace(
        /,\s*url\([^)]*\.(woff|ttf)\) format\([^)]*\)/g,
        "",
      ),
    }));
  },
};

/** A figure is a folder with a view.ts and perhaps a view.css. "figure-views" and "figure-styles"
 * list them all. */
const figures = {
  name: "figures",
  setup(build) {
    const folder = resolve(here, "figures");
    const having = (file) =>
      readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/${file}`));
    const named = /^figure-(views|styles)$/;
    build.onResolve({ filter: named }, ({ path }) => ({ path, namespace: "figures" }));
    build.onLoad({ filter: /views/, namespace: "figures" }, () => {
      const views = having("view.ts").map((name) => `"${name}": () => import("./${name}/view.ts")`);
      return { contents: `export const VIEWS = { ${views.join(", ")} };`, resolveDir: folder };
    });
    build.onLoad({ filter: /styles/, namespace: "figures" }, () => {
      const styles = having("view.css").map((name) => `@import "./${name}/view.css";`);
      return { contents: styles.join("\n"), resolveDir: folder, loader: "css" };
    });
  },
};

/** What the editor completes: a module of its own, so that it comes with the editor alone. */
const knownNames = {
  name: "known-names",
  setup(build) {
    build.onResolve({ filter: /^known-names$/ }, ({ path }) => ({ path, namespace: "known" }));
    build.onLoad({ filter: /./, namespace: "known" }, () => {
      return { contents: JSON.stringify(KNOWN_NAMES), loader: "json" };
    });
  },
};

const worker = await bundle("runtime/worker.ts", {
  splitting: true,
  external: ["node:*", "ws"], // Pyodide's branches for Node, never taken here
  define: defined(workerConstants),
});
const script = await bundle("page.ts", {
  splitting: true,
  plugins: [figures, knownNames],
  define: defined({
    WORKER: `./${worker}`,
    PYTHON_BYTES: bytes(workerConstants.RUNTIME.image.files),
  }),
});
await bundle("offline/service-worker.ts", {
  format: "iife", // modules as service workers are too new
  entryNames: "[name]",
  define: defined(OFFLINE),
});
const search = await bundle("search/on-demand.ts", {
  format: "iife", // it brings a classic script
  define: defined({ SEARCH_ENGINE }),
});
const style = await bundle("theme/site.css", { plugins: [onlyWoff2, figures] });
const fonts = readdirSync(resolve(outdir)).filter((name) => FIRST_FONTS.test(name));
console.log(JSON.stringify({ script, search, style, fonts }));

/** Builds one entry and returns the file name that its content gave it. */
async function bundle(entry, options) {
  const { metafile } = await build({ ...common, ...options, entryPoints: [resolve(here, entry)] });
  const outputs = Object.entries(metafile.outputs);
  const [file] = outputs.find(([, output]) => output.entryPoint?.endsWith(basename(entry)));
  return basename(file);
}

/** What some files weigh on their way. */
function bytes(files) {
  return Object.values(files).reduce((sum, file) => sum + file.size, 0);
}

function defined(values) {
  return Object.fromEntries(Object.entries(values).map(([k, v]) => [k, JSON.stringify(v)]));
}
