// Pages that are isolated from other sites may share memory with Python, so that Stop keeps variables.

/** An answer with the headers that isolate, where the host has not sent them. */
export function isolated(response: Response): Response {
  const { body, status, statusText } = response;
  if (response.type === "opaqueredirect" || response.type === "error") return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION))
    if (!headers.has(name)) headers.set(name, value);
  return new Response(body, { status, statusText, headers });
}
