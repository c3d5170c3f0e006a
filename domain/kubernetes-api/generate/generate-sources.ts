import type { PackageSource } from '../src/message-type.ts';

const HEADER = `// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.\n`;

/** The generated files by name: one for each package, and one that lists them. */
export function generateSources(packages: readonly PackageSource[]): ReadonlyMap<string, string> {
  const sources = new Map(packages.map((source) => [`${source.key}.gen.ts`, packageText(source)]));
  return sources.set('packages.gen.ts', listText(packages));
}

function packageText(source: PackageSource): string {
  const { key, component, group, version } = source;
  const lines = [
    HEADER,
    `import type { PackageSource } from '../message-type.ts';`,
    '',
    `export const ${constantName(key)}: PackageSource = {`,
    `  key: ${quote(key)},`,
    `  component: ${quote(component)},`,
    `  group: ${quote(group)},`,
    `  version: ${quote(version)},`,
    `  kinds: [${source.kinds.map(quote).join(', ')}],`,
    '  enumerations: {',
    ...Object.entries(source.enumerations).map(([name, words]) => `    ${name}: [${words.map(quote).join(', ')}],`),
    '  },',
    '  types: {',
    ...Object.entries(source.types).map(([name, text]) => `    ${name}: ${quote(text)},`),
    '  },',
    '};',
  ];
  return `${lines.join('\n')}\n`;
}

function listText(packages: readonly PackageSource[]): string {
  const imports = packages.map(({ key }) => `import { ${constantName(key)} } from './${key}.gen.ts';`);
  const names = packages.map(({ key }) => constantName(key)).join(', ');
  return `${HEADER}
import type { PackageSource } from '../message-type.ts';
${imports.join('\n')}

export const packages: readonly PackageSource[] = [${names}];
`;
}

function constantName(key: string): string {
  return key.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function quote(text: string): string {
  return JSON.stringify(text);
}
