// Which cells have to run, and in which order, before a cell's own turn.

export interface Step {
  readonly name: string;
  readonly buildsOn: readonly string[]; // names of the cells it builds on
  readonly code: string;
}

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

/** The texts of a chain: as long as they stay, nothing that it says has to be run again. */
export function signature(chain: readonly Step[]): string {
  return JSON.stringify(chain.map(({ name, code }) => [name, code]));
}
