// The numbers behind a picture: the tables that fence.py printed, drawn anew for another trace.

import { MatrixTable, NOTHING_TO_OPEN } from "./matrix";
import type { Matrix, Trace } from "./trace";

export function drawTables(stage: HTMLElement, { steps, matrices }: Trace): void {
  for (const { key, says, makes } of steps) {
    const section = stage.querySelector(`[data-step="${key}"]`) as HTMLElement;
    const made = matrices.filter(({ name }) => makes.includes(name));
    (section.querySelector(".step-says") as HTMLElement).textContent = says;
    section.querySelector(".makes")?.replaceChildren(...made.map(tableOf));
  }
}

function tableOf(matrix: Matrix): HTMLElement {
  const table = new MatrixTable(matrix, NOTHING_TO_OPEN);
  table.update(matrix, undefined);
  return table.element;
}
