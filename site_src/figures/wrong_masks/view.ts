// Wrong ways to hide keys: a choice among them, and a word that can be hidden as padding.

import { element } from "../elements";
import { select } from "../select";
import { Stepper } from "../stepper";
import type { Figure, Trace, View } from "../trace";

interface WrongTrace extends Trace {
  label: string;
  shows: string; // the padding with which the fault is seen
}

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new Stepper(figure, stage, {
    controls: (trace) => [wayChoice(figure, trace), paddingSwitch(figure, trace)],
  });
}

/** Choosing a way also hides what it takes to see its fault. */
function wayChoice(figure: Figure, { inputs }: Trace): HTMLElement {
  const ways = new Map(
    (Object.values(figure.traces) as WrongTrace[]).map((trace) => [
      String(trace.inputs.way),
      trace,
    ]),
  );
  const choice = select(
    "way",
    [...ways].map(([way, { label }]) => [way, label]),
    String(inputs.way),
    (way) => figure.change({ way, padding: ways.get(way)?.shows ?? "none" }),
  );
  return element("label", {}, "Hide with ", choice);
}

function paddingSwitch(figure: Figure, { inputs }: Trace): HTMLElement {
  const on = inputs.padding !== "none";
  const turn = () => figure.change({ ...inputs, padding: on ? "none" : "I" });
  return element(
    "button",
    { type: "button", "data-key": "padding", "aria-pressed": String(on), click: turn },
    "Hide “I” as padding",
  );
}
