// A choice among a few named values.

import { element } from "./elements";

/** key: what keeps the focus on it when the figure is drawn anew. options: [value, label]. */
export function select(
  key: string,
  options: [string, string][],
  current: string,
  choose: (value: string) => void,
) {
  const made = element(
    "select",
    { "data-key": key },
    ...options.map(([value, label]) =>
      element("option", { value, selected: value === current }, label),
    ),
  );
  if (!options.some(([value]) => value === current)) made.selectedIndex = -1;
  made.addEventListener("change", () => choose(made.value));
  return made;
}
