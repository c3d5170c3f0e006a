/** One series of a scrape. */
interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a scrape says: the types of its metrics, and their series in the order they came. */
export interface Scrape {
  readonly types: ReadonlyMap<string, string>;
  readonly series: readonly Series[];
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

/**
 * Reads the text format of Prometheus as strictly as Prometheus does: every series belongs to the metric named last,
 * and neither a metric nor a series is there twice.
 */
export function parsePrometheus(text: string): Scrape {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const types = new Map<string, string>();
  const series: Series[] = [];
  const seen = new Set<string>();
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [sign, keyword, name = '', type = ''] = line.split(' ');
    if (sign === '#' && keyword === 'TYPE') {
      if (types.has(name)) throw new Error(`${name} is there twice`);
      types.set(name, type);
      current = name;
    }
    if (sign === '#') continue;
    const parsed = parseSample(line);
    if (!belongsTo(parsed.name, current, types)) throw new Error(`${line} is not below the metric it belongs to`);
    const key = JSON.stringify([parsed.name, parsed.labels]);
    if (seen.has(key)) throw new Error(`${line} is there twice`);
    seen.add(key);
    series.push(parsed);
  }
  return { types, series };
}

function belongsTo(name: string, metric: string, types: ReadonlyMap<string, string>): boolean {
  if (types.get(metric) !== 'histogram') return name === metric;
  return ['_bucket', '_sum', '_count'].some((suffix) => name === metric + suffix);
}

function parseSample(line: string): Series {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === '') throw new Error(`not a series: ${line}`);
  const number = Number(value.replace('Inf', 'Infinity'));
  if (Number.isNaN(number) && value !== 'NaN') throw new Error(`not a number: ${line}`);
  return { name, labels: parseLabels(labels), value: number };
}

function parseLabels(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  let at = 0;
  while (at < text.length) {
    LABEL.lastIndex = at;
    const [, name = '', value = ''] = LABEL.exec(text) ?? [];
    if (name === '' || name in labels) throw new Error(`not labels: ${text}`);
    labels[name] = value.replaceAll(/\\([\\"n])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));
    at = LABEL.lastIndex;
  }
  return labels;
}
