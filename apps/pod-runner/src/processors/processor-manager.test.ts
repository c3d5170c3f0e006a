import { mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { printProcessors } from '@smalt/pod-sandbox';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { ProcessorManager, type ProcessorManagerOptions } from './processor-manager.ts';

/** What the cgroups of pods were confined to last. */
const confined = new Map<string, string>();
let directory: string;

beforeEach(async () => {
  confined.clear();
  directory = await mkdtemp(join(tmpdir(), 'smalt-processors-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

it('gives processors away, keeps the others off them, and takes them back', async () => {
  const manager = await open();
  await manager.place('shared', undefined);

  const first = await manager.place('first', 2);
  const second = await manager.place('second', 1);

  expect([first, second]).toEqual([[2, 3], [1]]);
  expect(Object.fromEntries(confined)).toEqual({ '/shared': '0', '/first': '2-3', '/second': '1' });

  await manager.release('first');

  expect(confined.get('/shared')).toBe('0,2-3');
  expect(await manager.place('third', 2)).toEqual([2, 3]);
});

it('refuses more than there are, and says who has them', async () => {
  const manager = await open();
  await manager.place('first', 2);

  await expect(manager.place('second', 2)).rejects.toThrow(
    '2 processors of its own are asked for and 1 of this node are free: 2 belong to other pods and 1 are reserved',
  );
  expect(manager.ofPod('second')).toBeUndefined();
});

it('never gives one to two pods that come at once', async () => {
  const manager = await open();

  const given = await Promise.all(['a', 'b', 'c'].map((uid) => manager.place(uid, 1)));

  expect(new Set(given.flat()).size).toBe(3);
});

it('goes on with what an earlier one has given, and takes back what belongs to pods that are gone', async () => {
  const before = await open();
  await before.place('stays', 1);
  await before.place('goes', 1);

  const after = await open({}, ['stays', 'shared']);

  expect(after.ofPod('stays')).toEqual(before.ofPod('stays'));
  expect(await after.place('stays', 1)).toEqual(before.ofPod('stays'));
  expect(after.givenCount).toBe(1);
  expect(confined.get('/shared')).toBe('0,2-3');
});

it('gives nobody what it could not write down, and tries anew', async () => {
  const manager = await open();
  const obstacle = join(directory, 'cpu_manager_state');
  await rm(obstacle, { force: true });
  await mkdir(obstacle);

  await expect(manager.place('first', 2)).rejects.toMatchObject({ code: 'EISDIR' });
  const before = [manager.ofPod('first'), confined.get('/first')];
  await rmdir(obstacle);
  await manager.place('first', 2);

  expect(before).toEqual([undefined, undefined]);
  expect(manager.ofPod('first')).toEqual([2, 3]);
  expect((await open({}, ['first'])).ofPod('first')).toEqual([2, 3]);
});

it('gives nobody what others have not been taken off', async () => {
  let isBroken = false;
  const confine = async (path: string, _leaves: readonly string[], processors: readonly number[]) => {
    if (isBroken) throw new Error('out of memory');
    confined.set(path, printProcessors(processors));
    return [];
  };
  const manager = await open({ cgroups: { confine } });
  await manager.place('shared', undefined);
  isBroken = true;
  await expect(manager.place('first', 2)).rejects.toThrow('out of memory');

  isBroken = false;
  await manager.place('first', 2);

  expect(Object.fromEntries(confined)).toEqual({ '/shared': '0-1', '/first': '2-3' });
});

it('tells in the words of a kubelet what it does', async () => {
  const manager = await open();
  await manager.place('first', 2);

  expect(JSON.parse(await readFile(join(directory, 'cpu_manager_state'), 'utf8'))).toEqual({
    policyName: 'static',
    defaultCpuSet: '0-1',
    entries: { first: { compute: '2-3' } },
  });
});

it('gives nobody any where none are reserved, and says so', async () => {
  const manager = await open({ reserved: [] });

  expect(await manager.place('first', 2)).toBeUndefined();
  expect(confined.size).toBe(0);
  expect(await readFile(join(directory, 'cpu_manager_state'), 'utf8')).toContain('"policyName":"none"');
});

it('does not guess what it cannot read', async () => {
  await writeFile(join(directory, 'cpu_manager_state'), '{"entries":{"a":{"compute":"x"}}}');

  await expect(open({}, ['a'])).rejects.toMatchObject({ code: 'bad-state' });
});

/** Four processors of two cores, the first of them reserved. */
async function open(
  change: Partial<ProcessorManagerOptions> = {},
  uids: readonly string[] = [],
): Promise<ProcessorManager> {
  const options = {
    directory,
    cgroups: {
      confine: async (path: string, _leaves: readonly string[], processors: readonly number[]) => {
        confined.set(path, printProcessors(processors));
        return [];
      },
    },
    processors: [0, 1, 2, 3].map((id) => ({ id, core: id - (id % 2), cell: 0 })),
    reserved: [0],
    pathOf: (uid: string) => `/${uid}`,
    leaves: ['launcher', 'guest'],
    onProblems: () => undefined,
    ...change,
  };
  return await ProcessorManager.open(options, uids);
}
