// The names that symbols have in Python.

import SYMBOLS from "./symbols.json";

/** The class of a name's symbol, such as "sym-q" for "Q"; undefined for any other name. */
export function symbolClass(name: string): string | undefined {
  const symbol = SYMBOLS.find(({ code }) => code.includes(name));
  return symbol && `sym-${symbol.key}`;
}
