// What scrolls inside itself can have the focus, so that the keyboard scrolls it too.

export function focusableWhileItScrolls(element: HTMLElement): void {
  let due = false;
  const check = () => {
    due = false;
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    if (scrollWidth > clientWidth || scrollHeight > clientHeight) element.tabIndex = 0;
    else if (element !== document.activeElement) element.removeAttribute("tabindex");
  };
  const checkSoon = () => {
    if (!due) requestAnimationFrame(check); // once a frame, however much is printed
    due = true;
  };
  new ResizeObserver(checkSoon).observe(element);
  new MutationObserver(checkSoon).observe(element, {
    childList: true,
    characterData: true,
    subtree: true,
  });
}
