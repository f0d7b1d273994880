// Intent: the signs that a reader is about to run something, after which loading may begin.

const REST = 150; // milliseconds that a pointer has to stay

/** Calls back once, at the first sign: focus, a tap that does not scroll, a pointer that rests. */
export function onIntent(element: HTMLElement, begin: () => void): void {
  const ended = new AbortController();
  let resting: ReturnType<typeof setTimeout> | undefined;
  const shown = () => {
    clearTimeout(resting);
    ended.abort();
    begin();
  };
  const on = (type: string, listener: (event: Event) => void) =>
    element.addEventListener(type, listener, { signal: ended.signal });
  on("focusin", shown);
  on("click", shown);
  on("pointerenter", (event) => {
    if ((event as PointerEvent).pointerType === "mouse") resting = setTimeout(shown, REST);
  });
  on("pointerleave", () => clearTimeout(resting));
}
