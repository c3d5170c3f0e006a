import { isJsonObject } from '@smalt/json';
import { stringify } from 'yaml';

import type { Kind } from './kind.ts';
import { stringLiteral } from './string-literal.ts';

/** What the policy goes by that guards definitions, and all their objects, against a deletion that was not meant. */
const GUARDED = { 'app.kubernetes.io/part-of': 'smalt' };

/** The CustomResourceDefinitions as YAML, by file name. Who applies them has them guarded where the policy is. */
export function emitDefinitionFiles(kinds: readonly Kind[]): ReadonlyMap<string, string> {
  return new Map(kinds.map((kind) => [`${kind.plural}.${kind.group}.yaml`, definitionYaml(kind)]));
}

function definitionYaml(kind: Kind): string {
  const crd = kind.crd();
  const metadata = isJsonObject(crd['metadata']) ? crd['metadata'] : {};
  const guarded = { ...crd, metadata: { ...metadata, labels: GUARDED } };
  const body = stringify(guarded, { lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true });
  return `# Written by 'npm run generate' from the declaration of the kind.\n${body}`;
}

/** A module that holds the CustomResourceDefinitions as JSON text, for programs that install them. */
export function emitDefinitionModule(kinds: readonly Kind[], source: string): string {
  const lines = kinds.flatMap((kind, index) => {
    const schema = JSON.stringify(kind.schema);
    // All versions of a kind share one schema, and so does the text.
    const pieces = JSON.stringify(kind.crd()).split(schema).map(stringLiteral);
    return [
      `const schema${index} = ${stringLiteral(schema)};`,
      `const definition${index} = ${pieces.join(` + schema${index} + `)};`,
    ];
  });
  return [
    `// Written by 'npm run generate' from ${source}. Change the declarations there instead.`,
    '',
    ...lines,
    '',
    '/** The definitions as JSON text, one per kind. */',
    `export const definitions: readonly string[] = [${kinds.map((_kind, index) => `definition${index}`).join(', ')}];`,
    '',
  ].join('\n');
}
