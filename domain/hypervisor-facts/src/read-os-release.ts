/**
 * The variables of an os-release file by the rules of os-release(5): quotes, escapes, comments and line ends of any kind;
 * the last of two wins. Lines that are no assignments are passed over.
 */
export function readOsRelease(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n|\r/)) {
    const [, name, value] = /^\s*([A-Za-z_]\w*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) variables.set(name, unquoted(value.trim()));
  }
  return variables;
}

// As in a shell: nothing is special between single quotes, and few characters can be escaped between double ones.
const PIECES = /'(?<literal>[^']*)(?:'|$)|"(?<quoted>(?:\\.|[^"\\]|\\$)*)(?:"|$)|(?<bare>(?:\\.|[^'"\\]|\\$)+)/g;

function unquoted(value: string): string {
  let result = '';
  for (const { groups } of value.matchAll(PIECES)) {
    result += groups?.['literal'] ?? '';
    result += (groups?.['quoted'] ?? '').replaceAll(/\\([$"`\\])/g, '$1');
    result += (groups?.['bare'] ?? '').replaceAll(/\\(.)/g, '$1');
  }
  return result;
}
