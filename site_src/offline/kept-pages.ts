// <kept-pages>: on the page that stands in for one that is not kept, the links that work.

class KeptPages extends HTMLElement {
  async connectedCallback(): Promise<void> {
    const again = this.querySelector<HTMLAnchorElement>("a.again");
    const page = new URLSearchParams(location.search).get("page");
    if (again && page !== null) again.href = new URL(`./${page}`, location.href).href;
    for (const item of this.querySelectorAll("li")) {
      const link = item.querySelector("a");
      item.hidden = !(link && (await isKept(link.href)));
    }
  }
}

async function isKept(address: string): Promise<boolean> {
  return Boolean(await caches.match(address, { ignoreSearch: true }).catch(() => undefined));
}

customElements.define("kept-pages", KeptPages);
