import { emitDefinitionFiles, emitDefinitionModule } from './emit-definitions.ts';
import { emitReferencePages } from './emit-reference-page.ts';
import { emitReferences } from './emit-references.ts';
import { emitTypes } from './emit-types.ts';
import type { Kind } from './kind.ts';

/** Where the definitions of all packages lie, from the root. */
export const DEFINITIONS_FOLDER = 'deploy/helm/smalt/files/crds/';

/** All files that the kinds of the package in `folder` give, by path from the root. */
export function generatedFiles(kinds: readonly Kind[], folder: string): ReadonlyMap<string, string> {
  const source = `${folder}/kinds`;
  const files = new Map<string, string>();
  files.set(`${folder}/src/generated/objects.gen.ts`, emitTypes(kinds, source));
  files.set(`${folder}/src/generated/references.gen.ts`, emitReferences(kinds, source));
  files.set(`${folder}/src/generated/definitions.gen.ts`, emitDefinitionModule(kinds, source));
  for (const [name, text] of emitDefinitionFiles(kinds)) files.set(`${DEFINITIONS_FOLDER}${name}`, text);
  for (const [name, text] of emitReferencePages(kinds)) files.set(`docs/reference/${name}`, text);
  return files;
}
