const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);
const UNESCAPES: ReadonlyMap<string, string> = new Map([...ESCAPES].map(([name, escaped]) => [escaped, name]));

export function isReservedWord(name: string): boolean {
  return RESERVED.has(name);
}

/** The name under which expressions know a field, or undefined where no name can be made of it. */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (part) => ESCAPES.get(part) ?? part);
}

/** The name of the field that an expression means, or undefined where the escapes in it mean nothing. */
export function unescapeName(escaped: string): string | undefined {
  if (!escaped.includes('__')) return escaped;
  let isValid = true;
  const name = escaped.replace(/__[^_]+__/g, (part) => {
    const plain = UNESCAPES.get(part);
    if (plain !== undefined) return plain;
    const word = part.slice(2, -2);
    if (!RESERVED.has(word) || part.length !== escaped.length) isValid = false;
    return word;
  });
  return isValid ? name : undefined;
}
