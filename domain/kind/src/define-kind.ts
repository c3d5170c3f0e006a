import { customResourceDefinition } from './custom-resource-definition.ts';
import type { Kind, KindDeclaration } from './kind.ts';
import { KindError } from './kind-error.ts';
import { withoutNames, type NamedSchema } from './named-schema.ts';
import { toNamedSchema } from './to-structural-schema.ts';

/** Declares a kind. Throws where Kubernetes would refuse the definition. */
export function defineKind(declaration: KindDeclaration): Kind {
  const namedSchema = objectSchema(declaration);
  for (const column of declaration.columns) checkPath(declaration.kind, column.jsonPath);
  for (const path of declaration.selectableFields ?? []) checkPath(declaration.kind, path);
  const kind = {
    ...declaration,
    singular: declaration.kind.toLowerCase(),
    listKind: `${declaration.kind}List`,
    namedSchema,
    schema: withoutNames(namedSchema),
  };
  return { ...kind, crd: () => customResourceDefinition(kind) };
}

function objectSchema(declaration: KindDeclaration): NamedSchema {
  const { kind, description, required = [], rules = [], status } = declaration;
  return {
    $id: kind,
    title: description,
    description,
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: {
      apiVersion: { type: 'string', description: 'The group and version in which the object is written.' },
      kind: { type: 'string', description: `Always \`${kind}\`.` },
      metadata: { $id: 'ObjectMeta', type: 'object' },
      spec: toNamedSchema(declaration.spec),
      ...(status === undefined ? {} : { status: toNamedSchema(status) }),
    },
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  };
}

function checkPath(kind: string, path: string): void {
  if (path.startsWith('.')) return;
  throw new KindError('invalid-declaration', `${kind}: the path ${path} must start with a dot`);
}
