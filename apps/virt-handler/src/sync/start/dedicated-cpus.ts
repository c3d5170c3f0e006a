import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PLACES = [
  ['/sys/fs/cgroup', 'cpuset.cpus.effective'],
  ['/sys/fs/cgroup/cpuset', 'cpuset.cpus'],
] as const;

/** The processors that a cgroup may use; undefined where no tree of this node says so. */
export async function processorsOf(cgroup: string | undefined): Promise<readonly number[] | undefined> {
  if (cgroup === undefined) return undefined;
  for (const [root, file] of PLACES) {
    const text = await readFile(join(root, cgroup, file), 'utf8').catch(() => '');
    if (text.trim() !== '') return parseProcessors(text);
  }
  return undefined;
}

/** Processors as the kernel lists them: `0-2,7`. */
export function parseProcessors(text: string): readonly number[] {
  return text
    .trim()
    .split(',')
    .flatMap((part) => {
      const [first = Number.NaN, last = first] = part.split('-').map(Number);
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
    });
}
