import { readFile } from 'node:fs/promises';

/** The mount points inside a directory. */
export async function mountsBelow(path: string): Promise<readonly string[]> {
  return parseMounts(await readFile('/proc/self/mountinfo', 'utf8')).filter((mount) => mount.startsWith(`${path}/`));
}

/** The mount points that `mountinfo` names. */
export function parseMounts(text: string): readonly string[] {
  const points = text.split('\n').map((line) => line.split(' ')[4]);
  return points.filter((point) => point !== undefined).map(unescape);
}

/** The kernel writes blanks and backslashes as three octal digits. */
function unescape(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
}
