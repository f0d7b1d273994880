// FlashAttention, tile by tile; the reader chooses how large a tile is.

import { element } from "../elements";
import { select } from "../select";
import { Stepper } from "../stepper";
import type { Figure, Trace, View } from "../trace";

interface TilesTrace extends Trace {
  sizes: number[];
}

export default function createView(figure: Figure, stage: HTMLElement): View {
  return new Stepper(figure, stage, {
    controls: (trace) => [sizeChoice(figure, trace as TilesTrace)],
  });
}

function sizeChoice(figure: Figure, { inputs, sizes }: TilesTrace): HTMLElement {
  const choice = select(
    "size",
    sizes.map((size) => [String(size), `${size} × ${size}`]),
    String(inputs.block),
    (size) => figure.change({ ...inputs, block: Number(size) }),
  );
  return element("label", {}, "Tile ", choice);
}
