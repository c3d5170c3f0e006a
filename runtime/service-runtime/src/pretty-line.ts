const HIDDEN = new Set(['time', 'level', 'msg', 'pid', 'name']);

/** One line of the JSON log as a person reads it: time, level, message, then the fields. */
export function prettyLine(line: string): string {
  const record = parse(line);
  if (record === undefined) return line;
  const time = textOf(record['time']).slice(11, 23);
  const level = textOf(record['level']).toUpperCase().padEnd(5);
  const fields = Object.entries(record)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, value]) => ` ${name}=${textOf(value)}`);
  return `${time} ${level} ${textOf(record['msg'])}${fields.join('')}\n`;
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined; // Not ours; it is passed on as it is.
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  if (typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string') {
    return `\n  ${value.stack.replaceAll('\n', '\n  ')}`;
  }
  return JSON.stringify(value);
}
