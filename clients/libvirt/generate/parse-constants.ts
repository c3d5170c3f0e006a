import type { SchemaFile } from './parse-wire-schema.ts';
import { errorAt, numberAt, readBlocks, wordAt } from './read-blocks.ts';

/** Named numbers: one of them (`values`) or a sum of them (`flags`). */
export interface ConstantGroup {
  readonly kind: 'values' | 'flags';
  readonly name: string;
  readonly members: ReadonlyMap<string, number>;
}

/** Reads the file of named numbers. Throws a SchemaError that names the line. */
export function parseConstants({ file, text }: SchemaFile): ConstantGroup[] {
  const taken = new Set<string>();
  return readBlocks(file, text).map(({ head, body }) => {
    const [kind] = head.words;
    if (kind !== 'values' && kind !== 'flags') throw errorAt(head, `'${kind}' is not values or flags`);
    const name = wordAt(head, 1, 'the name of the group');
    if (taken.has(name)) throw errorAt(head, `${name} is there twice`);
    taken.add(name);

    const members = new Map<string, number>();
    for (const line of body) {
      const member = wordAt(line, 0, 'the name');
      if (members.has(member)) throw errorAt(line, `${name}.${member} is there twice`);
      members.set(member, numberAt(line, 1, `the number of ${name}.${member}`));
    }
    return { kind, name, members };
  });
}
