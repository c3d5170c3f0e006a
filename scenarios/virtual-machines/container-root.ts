import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Heeds being asked to end, as an init does. */
const INIT = `#!/bin/sh
trap 'exit 0' TERM
while :; do sleep 1 & wait; done
`;

/** Fills the root of a container that does nothing: a shell, and an init that ends when it is asked to. */
export async function makeContainerRoot(directory: string): Promise<void> {
  const programs = ['/bin/dash', '/bin/sleep'];
  const linked = await Promise.all(programs.map((program) => run('ldd', [program])));
  const libraries = linked.flatMap(({ stdout }) => stdout.match(/\/\S+/g) ?? []);
  for (const file of new Set([...programs, ...libraries])) {
    await mkdir(join(directory, dirname(file)), { recursive: true });
    await copyFile(file, join(directory, file));
  }
  await copyFile('/bin/dash', join(directory, 'bin/sh'));
  for (const name of ['sbin', 'proc', 'sys', 'dev', 'tmp']) await mkdir(join(directory, name), { recursive: true });
  await writeFile(join(directory, 'sbin/init'), INIT, { mode: 0o755 });
}
