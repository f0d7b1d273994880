// Which cells have to run, and in which order, before a cell's own turn.

export interface Step {
  readonly name: string;
  readonly buildsOn: readonly string[]; // names of the cells it builds on
  readonly code: string;
}

type Steps = (name: string) => Step | undefined;

/** A cell with everything it builds on, each once, the cell itself last. */
export function chain<S extends Step>(step: S, find: (name: string) => S | undefined): S[] {
  const ordered = new Set<S>();
  const visit = (one: S) => {
    for (const name of one.buildsOn) {
      const earlier = find(name);
      if (earlier && !ordered.has(earlier)) visit(earlier);
    }
    ordered.add(one);
  };
  visit(step);
  return [...ordered];
}

/** A cell's text with the texts of all it builds on: equal if and only if its result would be. */
export function signature(step: Step, find: Steps): string {
  return JSON.stringify(chain(step, find).map(({ name, code }) => [name, code]));
}
