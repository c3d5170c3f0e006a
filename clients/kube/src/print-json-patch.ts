import { printJson, type JsonValue } from '@smalt/json';

/** What Go writes in another way than JavaScript. In JSON, all of these stand within strings alone. */
const SPECIAL = /[<>&\u2028\u2029]/gu;

/**
 * Writes a JSON patch, strings in the way of Go. Kubernetes holds the text of a `test` against that of the object, which it has written itself,
 * byte by byte: what means the same and is written in another way never passes.
 */
export function printJsonPatch(patch: JsonValue): string {
  return printJson(patch).replace(SPECIAL, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
