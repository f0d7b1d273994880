// Stands in for Material's search worker until a word is searched: only then come index and engine.

declare const SEARCH_ENGINE: string; // Material's worker, by its address from this one

/** Of lunr, which the engine is built on: a node of the automaton that finds words by their beginnings. */
interface TokenSet {
  final: boolean;
  edges: Record<string, { id: number }>; // by letter
}
declare const lunr: { TokenSet: { prototype: TokenSet } };

const [SETUP, READY, QUERY, RESULT] = [0, 1, 2, 3]; // kinds of Material's messages

interface Setup {
  config: { index: string }; // file name of the index, beside this one
}

let setup: Setup;
let query = "";
let isLoading = false;
const answer = postMessage.bind(self);

addEventListener("message", take);

function take({ data: { type, data } }: MessageEvent): void {
  if (type === SETUP) {
    setup = data;
    answer({ type: READY });
    return;
  }
  query = data;
  if (!query) answer({ type: RESULT, data: { items: [] } });
  else if (!isLoading) load().catch(apologise);
}

/** Hands over to Material's worker; what was last typed is its first query. */
async function load(): Promise<void> {
  isLoading = true;
  const response = await fetch(new URL(setup.config.index, location.href));
  const { docs } = await response.json();
  self.postMessage = (message: { type: number }) => {
    if (message.type !== READY) answer(message);
    else dispatchEvent(new MessageEvent("message", { data: { type: QUERY, data: query } }));
  };
  importScripts(new URL(SEARCH_ENGINE, location.href).href);
  lunr.TokenSet.prototype.toString = told;
  removeEventListener("message", take);
  dispatchEvent(new MessageEvent("message", { data: { type: SETUP, data: { ...setup, docs } } }));
}

/** lunr takes nodes that are told alike for one, and tells letter and number without a stop between:
 * a letter that is a digit makes two nodes one, and words that nobody wrote break a search. */
function told(this: TokenSet): string {
  const edges = Object.entries(this.edges).sort();
  return Number(this.final) + edges.map(([letter, { id }]) => `${letter}${id},`).join("");
}

function apologise(): void {
  isLoading = false;
  const title = "Search could not be loaded";
  const text = "Check the connection, then type on.";
  answer({ type: RESULT, data: { items: [[{ location: "", title, text, terms: {}, score: 0 }]] } });
}
