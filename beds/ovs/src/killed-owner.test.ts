import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { startOvsNode } from './start-ovs-node.ts';

it('nothing runs on of an owner that is killed, and the next one removes its files', async () => {
  const owner = spawn(process.execPath, [`${import.meta.dirname}/fixtures/start-everything.ts`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(owner, 'close');
  await once(owner.stdout, 'data');
  const directory = `/var/cache/smalt/bed/${owner.pid}-`;
  const before = await commandsWith(directory);
  const cablesBefore = await commandsWith('tapwire.py\0eno5');

  owner.kill('SIGKILL');
  await closed;

  // Three daemons of the central and three of the node.
  expect(before).toHaveLength(6);
  expect(cablesBefore).toHaveLength(1);
  await expect.poll(() => commandsWith(directory)).toEqual([]);
  await expect.poll(() => commandsWith('tapwire.py\0eno5')).toEqual([]);
  await using next = await startOvsNode({ datapath: 'dummy' });
  expect(next.pids['ovs-vswitchd']).toBeGreaterThan(0);
  expect((await readdir('/var/cache/smalt/bed')).filter((name) => name.startsWith(`${owner.pid}-`))).toEqual([]);
});

async function commandsWith(words: string): Promise<readonly string[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // Processes come and go while we look.
  const commands = await Promise.all(all.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return commands.filter((command) => command.includes(words));
}
