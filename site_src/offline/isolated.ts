// Pages that are isolated from other sites may share memory with Python, so that Stop keeps variables.

/** An answer with the headers that isolate. One that has them stays as it is: browsers hand on what
 * comes out of a store faster than what a script has made. */
export function isolated(response: Response): Response {
  const missing = Object.entries(ISOLATION).filter(([name]) => !response.headers.has(name));
  if (!missing.length || response.type === "opaqueredirect") return response;
  const { body, status, statusText } = response;
  const headers = new Headers([...response.headers, ...missing]);
  return new Response(body, { status, statusText, headers });
}
