// The causal mask as a switch: hidden scores, weights and output change together.

import { element } from "../elements";
import { select } from "../select";
import { Stepper } from "../stepper";
import type { Figure, Trace, View } from "../trace";

interface MaskTrace extends Trace {
  hidden: boolean[][]; // by query and key
}

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new MaskView(figure, stage);
}

class MaskView extends Stepper {
  constructor(figure: Figure, stage: HTMLElement) {
    super(figure, stage, {
      controls: (trace) => [maskSwitch(figure, trace), exampleChoice(figure, trace)],
    });
  }

  override draw(trace: Trace): void {
    super.draw(trace);
    const { hidden } = trace as MaskTrace;
    for (const name of ["scaled", "weights"])
      for (const [i, row] of rowsOf(this.stage, name).entries())
        for (const [j, cell] of [...row.cells].slice(1).entries())
          cell.classList.toggle("hidden-key", hidden[i]?.[j] ?? false);
  }
}

function rowsOf(stage: HTMLElement, name: string): HTMLTableRowElement[] {
  const table = stage.querySelector<HTMLTableElement>(`table[data-name="${name}"]`);
  return [...(table?.tBodies[0]?.rows ?? [])];
}

function maskSwitch(figure: Figure, { inputs }: Trace): HTMLElement {
  const on = inputs.mask !== "none";
  const turn = () => figure.change({ ...inputs, mask: on ? "none" : "causal" });
  return element(
    "button",
    { type: "button", "data-key": "mask", "aria-pressed": String(on), click: turn },
    "Causal mask",
  );
}

function exampleChoice(figure: Figure, { inputs }: Trace): HTMLElement {
  const examples = new Map(
    Object.entries(figure.traces).map(([key, trace]) => [key.split("/")[0] as string, trace]),
  );
  const isShown = (trace: Trace) =>
    (["words", "Q", "K", "V"] as const).every(
      (name) => JSON.stringify(trace.inputs[name]) === JSON.stringify(inputs[name]),
    );
  const current = [...examples].find(([, trace]) => isShown(trace))?.[0] ?? "";
  const choice = select(
    "example",
    [...examples.keys()].map((name) => [name, name]),
    current,
    (name) => figure.change({ ...examples.get(name)?.inputs, mask: inputs.mask ?? "causal" }),
  );
  return element("label", {}, "Example ", choice);
}
