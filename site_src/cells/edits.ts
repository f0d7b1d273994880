// A reader's edits, kept for the visit: they survive leaving the page and coming back.

interface Edit {
  printed: string; // the code that was edited; if the page now prints another, the edit is void
  code: string;
}

const key = (page: string, name: string) => `cell ${page} ${name}`;

export function keep(page: string, name: string, edit: Edit): void {
  try {
    if (edit.code === edit.printed) sessionStorage.removeItem(key(page, name));
    else sessionStorage.setItem(key(page, name), JSON.stringify(edit));
  } catch {
    // Storage is full or forbidden: the edit lives as long as the page does.
  }
}

export function kept(page: string, name: string, printed: string): string | null {
  try {
    const edit = JSON.parse(sessionStorage.getItem(key(page, name)) ?? "null") as Edit | null;
    return edit?.printed === printed ? edit.code : null;
  } catch {
    return null;
  }
}
