/** The first lines of every generated file. */
export const GENERATED =
  "// Written by 'npm run generate' from clients/libvirt/schema. Change the schema or the generator instead.\n";

/** The lines as one text, two spaces deeper. */
export function indent(lines: string | readonly string[]): string {
  const text = typeof lines === 'string' ? lines : lines.join('\n');
  return text
    .split('\n')
    .map((line) => (line === '' ? line : `  ${line}`))
    .join('\n');
}

/** Those of `names` that `text` uses as whole words, for an import list without leftovers. */
export function usedNames(text: string, names: readonly string[]): string[] {
  return names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).toSorted();
}
