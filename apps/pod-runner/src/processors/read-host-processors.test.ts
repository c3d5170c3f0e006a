import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { readHostProcessors } from './read-host-processors.ts';

it('knows the core and the cell of each processor', async () => {
  await using machine = await fakeMachine({
    'cpu/online': '0-3\n',
    'cpu/cpu0/topology/thread_siblings_list': '0,2\n',
    'cpu/cpu2/topology/thread_siblings_list': '0,2\n',
    'cpu/cpu1/topology/thread_siblings_list': '1,3\n',
    'cpu/cpu3/topology/thread_siblings_list': '1,3\n',
    'node/node0/cpulist': '0,2\n',
    'node/node1/cpulist': '1,3\n',
  });

  expect(await readHostProcessors(machine.path)).toEqual([
    { id: 0, core: 0, cell: 0 },
    { id: 1, core: 1, cell: 1 },
    { id: 2, core: 0, cell: 0 },
    { id: 3, core: 1, cell: 1 },
  ]);
});

it('takes each for a core of one cell where the machine says nothing', async () => {
  await using machine = await fakeMachine({ 'cpu/online': '0-1\n' });

  expect(await readHostProcessors(machine.path)).toEqual([
    { id: 0, core: 0, cell: 0 },
    { id: 1, core: 1, cell: 0 },
  ]);
});

it('finds those of this machine', async () => {
  expect((await readHostProcessors()).length).toBeGreaterThan(0);
});

async function fakeMachine(
  files: Readonly<Record<string, string>>,
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'smalt-machine-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
