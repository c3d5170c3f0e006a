const PATH = /^\/api\/v1\/nodes\/([^/?#]{1,400})\/telemetry\/?(?:[?#]|$)/;

/** The node that a request for the telemetry endpoint is about; undefined if it is for something else. */
export function nodeOfPath(url: string): { readonly node: string | undefined } | undefined {
  const text = PATH.exec(url)?.[1];
  return text === undefined ? undefined : { node: decode(text) };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
