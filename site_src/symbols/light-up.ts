// Pointing at a symbol, or focusing one, lights up the same symbol everywhere on the page.

const MARKED = "[class*='sym-']";

function keyOf(target: EventTarget | null): string | undefined {
  const marked = target instanceof Element ? target.closest(MARKED) : null;
  return [...(marked?.classList ?? [])].find((name) => name.startsWith("sym-"))?.slice(4);
}

function lightUp({ target }: Event): void {
  const key = keyOf(target);
  if (key) document.body.dataset.lit = key;
  else delete document.body.dataset.lit;
}

document.addEventListener("pointerover", lightUp, { passive: true });
document.addEventListener("focusin", lightUp);
