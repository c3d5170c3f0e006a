/** Whether the name of a host fits a pattern, in which `*` stands for any characters. */
export function matchesHost(pattern: string, host: string): boolean {
  const parts = pattern.split('*');
  const [first = ''] = parts;
  if (parts.length === 1) return pattern === host;
  const last = parts.at(-1) ?? '';
  if (!host.startsWith(first) || !host.endsWith(last) || host.length < first.length + last.length) return false;
  const rest = host.slice(first.length, host.length - last.length);
  return parts.slice(1, -1).reduce((from, part) => indexAfter(rest, part, from), 0) !== -1;
}

function indexAfter(text: string, part: string, from: number): number {
  const at = from === -1 ? -1 : text.indexOf(part, from);
  return at === -1 ? -1 : at + part.length;
}
