import type { Kind } from './kind.ts';

/** A reference to each kind. It is a module apart from the types: programs load it, and the types vanish. */
export function emitReferences(kinds: readonly Kind[], source: string): string {
  const names = kinds.map((kind) => kind.kind).toSorted();
  return [
    `// Written by 'npm run generate' from ${source}. Change the declarations there instead.`,
    `import type { KindReference } from '@smalt/kubernetes';`,
    `import type { ${names.join(', ')} } from './objects.gen.ts';`,
    ...kinds.map(declareReference),
  ]
    .join('\n\n')
    .concat('\n');
}

function declareReference(kind: Kind): string {
  const fields = [
    `  group: '${kind.group}',`,
    `  version: '${kind.versions[0].name}',`,
    `  kind: '${kind.kind}',`,
    `  plural: '${kind.plural}',`,
    `  isNamespaced: ${kind.scope === 'Namespaced'},`,
  ];
  return `export const ${variableName(kind.kind)}Kind: KindReference<${kind.kind}> = {\n${fields.join('\n')}\n};`;
}

/** `Hypervisor` becomes `hypervisor`, `OVSNode` becomes `ovsNode`. */
function variableName(kind: string): string {
  return kind.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z])/, (start) => start.toLowerCase());
}
