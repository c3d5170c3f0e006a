import type { ConfigField } from './config-fields.ts';

const WIDTH = 100;

/** What `--help` prints: every flag with its meaning, default and variable. The default of a secret is not shown. */
export function configHelp(programName: string, description: string, fields: readonly ConfigField[]): string {
  const rows = [
    ...fields.map((field) => ({ left: `--${field.flag}${placeholder(field)}`, right: meaning(field) })),
    { left: '--config FILE', right: 'a YAML file with the same settings; flags and variables win over it' },
    { left: '--help', right: 'print this text' },
  ];
  const column = Math.min(36, Math.max(...rows.map(({ left }) => left.length)) + 4);
  const lines = rows.flatMap(({ left, right }) => row(left, right, column));
  const head = description === '' ? [] : [description, ''];
  return `${[`Usage: ${programName} [flags]`, '', ...head, 'Flags:', ...lines].join('\n')}\n`;
}

function placeholder({ schema }: ConfigField): string {
  switch (schema.type) {
    case 'boolean':
      return '';
    case 'array':
      return ` ${schema.items.type.toUpperCase()},…`;
    case 'string':
    case 'integer':
    case 'number':
      return schema.enum === undefined ? ` ${schema.type.toUpperCase()}` : ` ${schema.enum.join('|')}`;
  }
}

function meaning({ schema, isRequired, variable }: ConfigField): string {
  const standard = schema.writeOnly === true ? '' : String(schema.default ?? '');
  const notes = [
    ...(isRequired && schema.default === undefined ? ['required'] : []),
    ...(standard === '' ? [] : [`default ${standard}`]),
    variable,
  ];
  return `${schema.description ?? ''} (${notes.join('; ')})`.trim();
}

function row(left: string, right: string, column: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of right.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > WIDTH - column) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  const padded = `  ${left}`.padEnd(column);
  const isWide = padded.length > column || !padded.endsWith(' ');
  const rest = [...lines, line].map((text) => `${' '.repeat(column)}${text}`);
  if (isWide) return [`  ${left}`, ...rest];
  return [`${padded}${lines[0] ?? line}`, ...rest.slice(1)];
}
