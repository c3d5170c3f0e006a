import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { findProgram } from '@smalt/libvirt-daemon';
import { expect, it } from 'vitest';

import { tieToOwner } from './tie-to-owner.ts';

const run = promisify(execFile);

it('runs what its owner starts', async () => {
  const [program = '', ...words] = await tied(process.pid);

  expect((await run(program, words)).stdout).toBe('it runs\n');
});

it('runs nothing for an owner that is gone', async () => {
  const [program = '', ...words] = await tied(process.ppid);

  await expect(run(program, words)).rejects.toMatchObject({ code: 1, stdout: '' });
});

async function tied(owner: number): Promise<readonly string[]> {
  return tieToOwner(owner, await findProgram('setpriv', 'util-linux'), ['echo', 'it runs']);
}
