// One word's way through the matrices; the reader picks the word.

import { element } from "../elements";
import { select } from "../select";
import { Stepper } from "../stepper";
import type { Figure, Trace, View, Worded } from "../trace";

export default function createView(figure: Figure, stage: HTMLElement): View {
  const choice = (trace: Trace) => {
    const inputs = trace.inputs as Worded;
    const words = inputs.words.map((word): [string, string] => [word, word]);
    const pick = (word: string) => figure.change({ ...inputs, word });
    return element("label", {}, "Word ", select("word", words, String(inputs.word), pick));
  };
  return new Stepper(figure, stage, { controls: (trace) => [choice(trace)] });
}
