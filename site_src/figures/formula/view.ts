// The stepping formula: nothing to edit, only to read from the inside out.

import { Stepper } from "../stepper";
import type { Figure, View } from "../trace";

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new Stepper(figure, stage);
}
