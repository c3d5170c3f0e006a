const PREFIX = '/org/freedesktop/systemd1/unit/';

/** Where a unit lies on the bus: all but letters and digits, and a digit in front, are written as `_NN`. */
export function unitPath(name: string): string {
  let label = '';
  for (const [index, byte] of Buffer.from(name).entries()) {
    const character = String.fromCodePoint(byte);
    const isPlain = /[A-Za-z]/.test(character) || (index > 0 && /\d/.test(character));
    label += isPlain ? character : `_${byte.toString(16).padStart(2, '0')}`;
  }
  // An empty label cannot stand in a path.
  return PREFIX + (label === '' ? '_' : label);
}

/** The name of the unit that lies at a path, nothing if no unit can lie there. */
export function unitAtPath(path: string): string | undefined {
  if (!path.startsWith(PREFIX)) return undefined;
  const label = path.slice(PREFIX.length);
  if (label.includes('/')) return undefined;
  return label.replaceAll(/_([\da-f]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}
