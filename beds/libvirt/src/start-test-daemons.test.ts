import { existsSync } from 'node:fs';

import { expect, it } from 'vitest';

import { runProgram } from '@smalt/libvirt-daemon';

import { startTestDaemons } from './start-test-daemons.ts';

it('starts a swarm of daemons, each a host of its own, and takes them all down', async () => {
  const swarm = await startTestDaemons(20);
  const pids = swarm.daemons.map((daemon) => daemon.pid);

  const names = await Promise.all(swarm.daemons.map((daemon) => hostnameOf(daemon.uri)));

  expect(names).toEqual(Array.from({ length: 20 }, (_, index) => `node${index + 1}`));
  expect(new Set(swarm.daemons.map((daemon) => daemon.port)).size).toBe(20);

  await swarm[Symbol.asyncDispose]();

  expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
});

it('starts none when one cannot start', async () => {
  const giveUp = AbortSignal.abort();

  await expect(startTestDaemons(3, { signal: giveUp })).rejects.toMatchObject({ code: 'aborted' });
});

async function hostnameOf(uri: string): Promise<string> {
  const virsh = { name: 'virsh', debianPackage: 'libvirt-clients' } as const;
  return (await runProgram(virsh, ['--connect', uri, 'hostname'])).toString().trim();
}
