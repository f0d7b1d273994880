// A document is of one build, from its first line to the last file that it fetches.

/** The version of the build that this document is of. */
export const ours = build();

/** Material changes pages without leaving the document, so a new build's page may come into one that
 * runs an old build's scripts. It is opened in full instead. */
new MutationObserver(() => {
  if (build() !== ours) location.reload();
}).observe(document.head, { childList: true });

/** After a new deployment a host has none of the files that an open page has yet to fetch. The page
 * is opened anew, then; edits are kept, and the next run brings back what a cell needs. */
export async function renewIfOutdated(): Promise<void> {
  const response = await fetch(location.href, { cache: "reload" }).catch(() => null);
  if (!response?.ok) return;
  const { head } = new DOMParser().parseFromString(await response.text(), "text/html");
  if (build(head) !== ours) location.reload();
}

function build(head: ParentNode = document.head): string {
  return head.querySelector<HTMLMetaElement>("meta[name=build]")?.content ?? "";
}
