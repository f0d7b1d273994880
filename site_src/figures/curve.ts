// A line through points, without corners.

import { within } from "./numbers";

/** The path of it: between two points it leans as their neighbours do. */
export function smooth(points: [number, number][]): string {
  const at = (index: number) => points[within(index, points.length)] as [number, number];
  return points
    .map(([x, y], index) => {
      if (index === 0) return `M${x} ${y}`;
      const [[a, b], [c, d], [e, f]] = [at(index - 2), at(index - 1), at(index + 1)];
      return `C${c + (x - a) / 6} ${d + (y - b) / 6} ${x - (e - c) / 6} ${y - (f - d) / 6} ${x} ${y}`;
    })
    .join(" ");
}
