import { propertyName } from './naming.ts';
import type { ConstantGroup } from './parse-constants.ts';
import { GENERATED, indent } from './source-text.ts';

/** An object per group of named numbers, and a union type for those of which one applies. */
export function emitConstants(groups: readonly ConstantGroup[]): string {
  return [GENERATED, ...groups.map(emitGroup)].join('\n');
}

function emitGroup({ kind, name, members }: ConstantGroup): string {
  const lines = [...members].map(([member, value]) => `${propertyName(member)}: ${value},`);
  const union = kind === 'values' ? [`export type ${name} = (typeof ${name})[keyof typeof ${name}];`] : [];
  return [`export const ${name} = {`, indent(lines), '} as const;', ...union, ''].join('\n');
}
