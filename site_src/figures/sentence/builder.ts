// The reader's own sentence: the task's slots, each with the words that the model knows for it.

import { element } from "../elements";
import { select } from "../select";

export interface Part {
  slot: string; // "" for a fixed word
  value: string;
  options: string[];
}

/** wanted: the parts as last chosen, drawn or not; build: called with those of a new sentence. */
export function builder(
  parts: Part[],
  wanted: () => Part[],
  build: (parts: Part[]) => void,
): HTMLElement[] {
  const put = (slot: string) => (value: string) => build(changed(wanted(), slot, value));
  const fields = parts.map((part) => {
    if (!part.slot) return element("span", {}, part.value);
    const options = part.options.map((word): [string, string] => [word, word || "–"]);
    const field = select(part.slot, options, part.value, put(part.slot));
    field.setAttribute("aria-label", part.slot);
    return field;
  });
  const swap = element(
    "button",
    { type: "button", "data-key": "swap", click: () => build(swapped(wanted())) },
    "Swap the nouns",
  );
  return [...fields, swap];
}

/** The parts with another word in one slot. */
export function changed(parts: Part[], slot: string, value: string): Part[] {
  return parts.map((part) => (part.slot === slot ? { ...part, value } : part));
}

/** Both nouns change places, and take their adjectives along. */
function swapped(parts: Part[]): Part[] {
  const value = (slot: string) => parts.find((part) => part.slot === slot)?.value ?? "";
  const other = (slot: string) =>
    slot.startsWith("first") ? slot.replace("first", "second") : slot.replace("second", "first");
  return parts.map((part) => (part.slot ? { ...part, value: value(other(part.slot)) } : part));
}
