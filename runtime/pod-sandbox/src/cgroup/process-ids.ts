import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What reading a cgroup fails with that is gone, or whose threads are in different cgroups: its children have them. */
const ELSEWHERE = ['ENOENT', 'ENODEV', 'EOPNOTSUPP'];

/** The processes in a cgroup and in all below it; none when it is gone. */
export async function processIdsBelow(directory: string): Promise<readonly number[]> {
  const text = (await unlessElsewhere(readFile(join(directory, 'cgroup.procs'), 'utf8'))) ?? '';
  const own = text.split('\n').filter((line) => line !== '');
  const children = await childrenOf(directory);
  const below = await Promise.all(children.map((child) => processIdsBelow(child)));
  return [...own.map(Number), ...below.flat()];
}

/** The cgroups right below a cgroup; none when it is gone. */
export async function childrenOf(directory: string): Promise<readonly string[]> {
  const entries = (await unlessElsewhere(readdir(directory, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
}

async function unlessElsewhere<T>(work: Promise<T>): Promise<T | undefined> {
  return await work.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && ELSEWHERE.includes(String(error.code))) return undefined;
    throw error;
  });
}
