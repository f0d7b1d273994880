// <executed-cell>: code of PyTorch that ran when the page was made, and a button to copy it.

import { button } from "../cells/button";
import { copied } from "../cells/clipboard";
import { focusableWhileItScrolls } from "../cells/scrollable";

class ExecutedCell extends HTMLElement {
  connectedCallback(): void {
    if (this.querySelector(".toolbar")) return;
    const code = this.querySelector(".code") as HTMLElement;
    const text = (code.textContent ?? "").replace(/\n$/, "");
    const name = this.getAttribute("name") ?? "";
    code.after(toolbar(name, text));
    for (const output of this.querySelectorAll("output")) {
      output.setAttribute("aria-label", `Output of ${name}`);
      focusableWhileItScrolls(output);
    }
  }
}

function toolbar(name: string, text: string): HTMLElement {
  const row = document.createElement("div");
  const status = document.createElement("span");
  row.className = "toolbar";
  status.className = "status";
  status.setAttribute("role", "status");
  const copy = async () => {
    status.textContent = (await copied(text)) ? said(text) : "The browser does not allow copying.";
  };
  row.append(button("copy", "Copy", `Copy ${name}`, copy), status);
  return row;
}

function said(text: string): string {
  if (!/^\s*from snippets/m.test(text)) return "Copied.";
  return "Copied. It imports snippets; the downloads below hold their code too.";
}

customElements.define("executed-cell", ExecutedCell);
