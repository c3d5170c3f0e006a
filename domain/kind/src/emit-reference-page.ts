import { collectShapes } from './collect-shapes.ts';
import type { Kind } from './kind.ts';
import type { NamedSchema } from './named-schema.ts';

const SHARED: ReadonlySet<string> = new Set(['ObjectMeta', 'TemplateMetadata']);

/** The pages of the reference, by file name. A shape that several kinds hold is described on the page of the first. */
export function emitReferencePages(kinds: readonly Kind[]): ReadonlyMap<string, string> {
  const homes = new Map<string, string>();
  for (const kind of kinds) {
    for (const name of collectShapes(kind).keys()) if (!homes.has(name)) homes.set(name, pageOf(kind));
  }
  return new Map(kinds.map((kind) => [pageOf(kind), emitPage(kind, homes)]));
}

function pageOf(kind: Kind): string {
  return `${kind.singular}.md`;
}

function emitPage(kind: Kind, homes: ReadonlyMap<string, string>): string {
  const page = pageOf(kind);
  const shapes = [...collectShapes(kind)].filter(([name]) => !SHARED.has(name) && homes.get(name) === page);
  const link = (name: string): string => {
    const anchor = `#${name.toLowerCase()}`;
    return homes.get(name) === page ? `[${name}](${anchor})` : `[${name}](${homes.get(name) ?? ''}${anchor})`;
  };
  return [
    `<!-- Written by 'npm run generate' from the declaration of the kind. -->`,
    `# ${kind.kind}`,
    kind.description,
    names(kind),
    columns(kind),
    conditionTable(kind),
    '## Fields\n\nA star marks what must be there.',
    ...shapes.map(([name, schema]) => section(name === kind.kind ? '' : `### ${name}`, schema, link)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function names(kind: Kind): string {
  const versions = kind.versions.map((version, index) => {
    const note = version.deprecationWarning === undefined ? '' : ', deprecated';
    return `\`${kind.group}/${version.name}\` (${index === 0 ? 'stored' : 'served'}${note})`;
  });
  const subresources = [...(kind.hasStatus ? ['`status`'] : []), ...(kind.scale === undefined ? [] : ['`scale`'])];
  return table(
    ['', ''],
    [
      ['versions', versions.join(', ')],
      ['resource', `\`${kind.plural}\``],
      ['short names', codes(kind.shortNames)],
      ['scope', kind.scope === 'Cluster' ? 'cluster' : 'namespaced'],
      ['subresources', subresources.join(', ') || 'none'],
    ],
  );
}

function columns(kind: Kind): string {
  const rows = [...kind.columns]
    .toSorted((one, other) => Number((one.priority ?? 0) > 0) - Number((other.priority ?? 0) > 0))
    .map((column) => [column.name, `\`${cell(column.jsonPath)}\``, (column.priority ?? 0) === 0 ? 'always' : 'wide']);
  return `## Columns\n\n${table(['column', 'from', 'shown'], rows)}`;
}

function conditionTable(kind: Kind): string {
  if (kind.conditions === undefined) return '';
  const rows = kind.conditions.map(({ type, meaning }) => [`\`${type}\``, cell(meaning)]);
  return `## Conditions\n\n${table(['type', 'meaning'], rows)}`;
}

function section(heading: string, schema: NamedSchema, link: (name: string) => string): string {
  const { properties = {}, required = [], title = '' } = schema;
  const rules = schema['x-kubernetes-validations'] ?? [];
  const rows = Object.entries(properties).map(([field, type]) => [
    `\`${field}\`${required.includes(field) ? ' *' : ''}`,
    typeText(type, link),
    type.default === undefined ? '' : `\`${cell(JSON.stringify(type.default))}\``,
    limits(type),
    cell(type.description ?? ''),
  ]);
  const fields =
    rows.length === 0 ? 'It has no fields.' : table(['field', 'type', 'default', 'limits', 'meaning'], rows);
  const ruleLines = rules.map(({ rule, message }) => `- ${message ?? ''}: \`${rule}\``);
  return [heading, title, fields, ruleLines.length === 0 ? '' : `Rules:\n\n${ruleLines.join('\n')}`]
    .filter((part) => part !== '')
    .join('\n\n');
}

function typeText(schema: NamedSchema, link: (name: string) => string): string {
  if (schema.$id !== undefined) return SHARED.has(schema.$id) ? 'metadata' : link(schema.$id);
  if (schema.items !== undefined) return `list of ${typeText(schema.items, link)}`;
  if (schema.additionalProperties !== undefined) return `map to ${typeText(schema.additionalProperties, link)}`;
  if (schema.type === undefined) return schema.pattern === undefined ? 'integer or string' : 'quantity';
  return schema.format === 'date-time' ? 'time' : schema.type;
}

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const;

function limits(schema: NamedSchema): string {
  const parts: string[] = [];
  if (schema.enum !== undefined) parts.push(`one of ${codes(schema.enum.map((word) => JSON.stringify(word)))}`);
  for (const limit of LIMITS) if (schema[limit] !== undefined) parts.push(`${limit} ${schema[limit]}`);
  if (schema.type === 'string' && schema.pattern !== undefined) parts.push(`\`${cell(schema.pattern)}\``);
  const keys = schema['x-kubernetes-list-map-keys'];
  if (keys !== undefined) parts.push(`one entry per ${keys.join(' and ')}`);
  if (schema['x-kubernetes-list-type'] === 'set') parts.push('no duplicates');
  for (const { message } of schema.$id === undefined ? (schema['x-kubernetes-validations'] ?? []) : []) {
    parts.push(cell(message ?? ''));
  }
  if (schema.nullable === true) parts.push('may be null');
  return parts.join('; ');
}

function codes(words: readonly string[]): string {
  return words.length === 0 ? 'none' : words.map((word) => `\`${word}\``).join(', ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
