// Pasted examples, as documentation prints them: their prompts and outputs are no code.

const PROMPT = /^\s*(>>>|\.\.\.)(?: |$)/;

/** The code of a text that begins with `>>>`; any other text as it is. */
export function withoutPrompts(text: string): string {
  if (!/^\s*>>>(?:\s|$)/.test(text)) return text;
  const lines = text.split(/\r?\n/).filter((line) => PROMPT.test(line));
  return lines.map((line) => line.replace(PROMPT, "")).join("\n");
}
