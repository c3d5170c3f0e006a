import type { PullReading } from './pull-reading.ts';

const NAME = /^[a-zA-Z_:][\w:]*/;
const LABEL = /\s*(?<name>[a-zA-Z_]\w*)\s*=\s*"(?<value>(?:[^"\\]|\\.)*)"\s*,?/y;
const REST = /^\s+(?<value>\S+)(?:\s+(?<time>-?[\d.]+(?:e[+-]?\d+)?))?\s*(?:#.*)?$/i;
const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };

/** The values of some metrics in the text format of Prometheus; lines of others, and those that cannot be read, are passed over. */
export function parseMetrics(
  text: string,
  wanted: ReadonlySet<string>,
  timeUnitMs: number,
): ReadonlyMap<string, readonly PullReading[]> {
  const found = new Map<string, PullReading[]>();
  for (let begin = 0; begin < text.length;) {
    const newline = text.indexOf('\n', begin);
    const end = newline < 0 ? text.length : newline;
    // A large answer has few lines that are wanted: most are passed over by their names.
    const name = text[begin] === '#' ? undefined : nameAt(text, begin);
    if (name !== undefined && wanted.has(name)) {
      const reading = parseLine(text.slice(begin + name.length, end).replace(/\r$/, ''), timeUnitMs);
      if (reading !== undefined) addTo(found, name, reading);
    }
    begin = end + 1;
  }
  return found;
}

function addTo(found: Map<string, PullReading[]>, name: string, reading: PullReading): void {
  const others = found.get(name);
  if (others === undefined) found.set(name, [reading]);
  else others.push(reading);
}

function nameAt(text: string, begin: number): string | undefined {
  return NAME.exec(text.slice(begin, begin + 256))?.[0];
}

function parseLine(line: string, timeUnitMs: number): PullReading | undefined {
  const labels = new Map<string, string>();
  const end = line.startsWith('{') ? readLabels(line, labels) : 0;
  const rest = end === undefined ? undefined : REST.exec(line.slice(end))?.groups;
  const value = numberOf(rest?.['value'] ?? '');
  if (rest === undefined || value === undefined) return undefined;
  const time = rest['time'];
  return {
    field: (name) => labels.get(name),
    value,
    timeMs: time === undefined ? undefined : Number(time) * timeUnitMs,
  };
}

/** Reads `{…}` and says where it ends; undefined when it is not as it has to be. */
function readLabels(line: string, labels: Map<string, string>): number | undefined {
  const label = new RegExp(LABEL);
  let end = 1;
  label.lastIndex = end;
  for (let match = label.exec(line); match !== null; match = label.exec(line)) {
    const { name = '', value = '' } = match.groups ?? {};
    labels.set(
      name,
      value.replaceAll(/\\./g, (escape) => ESCAPES[escape] ?? escape),
    );
    end = label.lastIndex;
  }
  const closing = /\s*\}/y;
  closing.lastIndex = end;
  return closing.test(line) ? closing.lastIndex : undefined;
}

function numberOf(text: string): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  // What is not a number, or infinite, says nothing of when something happened.
  return Number.isFinite(value) ? value : undefined;
}
