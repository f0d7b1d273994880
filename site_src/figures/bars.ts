// Shares as bars, each with its number above and its name below.

import { label, svg } from "./svg";

export interface Bars {
  shares: number[];
  names: string[];
  x: number;
  width: number;
  height: number;
}

const ABOVE = 18; // room for numbers
const BELOW = 22; // room for names
const WIDE_ENOUGH = 36; // pixels that a number needs

export function bars({ shares, names, x, width, height }: Bars): SVGElement[] {
  const step = width / shares.length;
  const full = height - ABOVE - BELOW;
  return shares.flatMap((share, index) => {
    const tall = Math.max(share * full, 1);
    const middle = x + (index + 0.5) * step;
    const top = ABOVE + full - tall;
    const drawn = [
      svg("rect", {
        class: "share",
        x: middle - step * 0.36,
        y: top,
        width: step * 0.72,
        height: tall,
      }),
    ];
    if (step >= WIDE_ENOUGH) drawn.push(label(middle, top - 5, share.toFixed(2)));
    if (names[index]) drawn.push(label(middle, height - 6, names[index]));
    return drawn;
  });
}
