// A button that stays where it is while it can do nothing, so that the focus stays too.

/** kind: its class; label: its accessible name, which tells it from the others of the page. */
export function button(
  kind: string,
  text: string,
  label: string,
  act?: () => void,
): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = kind;
  element.textContent = text;
  element.setAttribute("aria-label", label);
  element.addEventListener("click", () => {
    if (element.getAttribute("aria-disabled") !== "true") act?.();
  });
  return element;
}

export function enable(element: HTMLButtonElement, enabled: boolean): void {
  element.setAttribute("aria-disabled", String(!enabled));
}
