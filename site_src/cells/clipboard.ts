// Puts text on the clipboard, on plain http too.

/** Whether it worked. */
export async function copied(text: string | Promise<string>): Promise<boolean> {
  try {
    if (typeof text === "string") await navigator.clipboard.writeText(text);
    else await navigator.clipboard.write([promised(text)]);
    return true;
  } catch {
    return copiedBySelection(await text); // no clipboard object on insecure origins, or no permission
  }
}

/** A text that is still being made: Safari takes it while a click is handled, and not after. */
function promised(text: Promise<string>): ClipboardItem {
  const type = "text/plain";
  return new ClipboardItem({ [type]: text.then((made) => new Blob([made], { type })) });
}

function copiedBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
