// Copy: a cell as a program that runs alone, with nothing but NumPy.

/** Import lines of snippets, each with the sources that stand in for it. */
export type Inlines = Record<string, string[]>;

/** Joins cells in order; what they import from snippets comes first, as source, each once. */
export function program(cells: readonly { code: string; inlines: Inlines }[]): string {
  const sources = new Set<string>();
  const bodies = cells.map(({ code, inlines }) =>
    code
      .split("\n")
      .filter((line) => {
        for (const source of inlines[line] ?? []) sources.add(source.trim());
        return !(line in inlines);
      })
      .join("\n")
      .trim(),
  );
  return `${[...sources, ...bodies].filter(Boolean).join("\n\n")}\n`;
}
