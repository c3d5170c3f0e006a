import type { ChartValue } from './chart-values.ts';

const BEGIN = '<!-- values: written by npm run generate -->';
const END = '<!-- /values -->';

/** Puts the tables of values between the two marks of a page. */
export function withValuesTable(page: string, values: readonly ChartValue[]): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the page lacks ${BEGIN} or ${END}`);
  return `${before}${BEGIN}\n${valuesTable(values)}\n${END}${after}`;
}

/** One row for each value that has a comment; the others are the same for every part, and listed once. */
function valuesTable(values: readonly ChartValue[]): string {
  const rows = values.filter(({ meaning }) => meaning !== '').map(row);
  return ['| value | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function row({ path, default: standard, meaning }: ChartValue): string {
  return `| \`${path}\` | ${shown(standard)} | ${meaning.replaceAll('|', '\\|')} |`;
}

function shown(value: unknown): string {
  if (value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `\`${text}\``;
}
