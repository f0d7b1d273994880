// What the keyboard can do in a cell, behind a button.

const KEYS: [keys: string, effect: string][] = [
  ["Ctrl or ⌘ + Enter", "runs the cell"],
  ["Shift + Enter", "runs it and goes to the next"],
  ["Ctrl + Space", "offers names; also while you type (on a Mac, ⌥ + I does too)"],
  ["Enter or Tab", "takes the name that is offered; Esc closes the list"],
  ["Tab, Shift + Tab", "indents, and back"],
  ["Ctrl or ⌘ + Z", "undoes"],
  ["Esc, then Tab", "leaves the code"],
];

/** The list, hidden until the button opens it. */
export function keysBehind(button: HTMLButtonElement, id: string): HTMLElement {
  const list = document.createElement("dl");
  list.id = id;
  list.className = "keys-list";
  list.hidden = true;
  for (const [keys, effect] of KEYS) list.append(item("dt", keys), item("dd", effect));
  button.setAttribute("aria-controls", id);
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    list.hidden = !list.hidden;
    button.setAttribute("aria-expanded", String(!list.hidden));
  });
  return list;
}

function item(tag: "dt" | "dd", text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
