/** What Prometheus calls the type of a metric. */
export type MetricKind = 'counter' | 'gauge' | 'histogram';

/** The two lines that lead the series of a metric in the text format of Prometheus. */
export function metricHeader(kind: MetricKind, name: string, help: string): string {
  const text = help.replaceAll('\\', '\\\\').replaceAll('\n', String.raw`\n`);
  return `# HELP ${name} ${text}\n# TYPE ${name} ${kind}`;
}

/** One series: its name, its labels as `metricLabels` prints them, and its value. */
export function metricLine(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${printNumber(value)}`;
}

/** Labels as they stand between the braces: `verb="get",code="200"`. Values are in the order of the names. */
export function metricLabels(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`).join(',');
}

function escapeLabel(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}

function printNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
