// What the build writes into the page's bundle.

/** The worker's file name, beside the page's own script. */
declare const WORKER: string;

/** The size of what Python starts from, as it travels. */
declare const PYTHON_BYTES: number;

/** The views of all figures by the names of their folders, each loaded when a page has it. */
declare module "figure-views" {
  type CreateView = typeof import("./figures/calculation/view").default;
  export const VIEWS: Record<string, () => Promise<{ default: CreateView }>>;
}

/** What the editor can complete without Python: names by what they follow, such as `np.`. */
declare module "known-names" {
  const names: Record<string, string[]>;
  export default names;
}
