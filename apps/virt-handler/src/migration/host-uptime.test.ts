import { uptime } from 'node:os';

import { startHost, startNetwork } from '@smalt/bed-libvirt';
import { connect, LibvirtError } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { hostUptimeMs, type UptimeSource } from './host-uptime.ts';

const signal = AbortSignal.timeout(60_000);

it('is how long the machine of a libvirt is up', { timeout: 60_000 }, async () => {
  await using network = await startNetwork();
  await using host = await startHost({ network, name: 'hv1' });
  await using daemon = await connect(host.uri);

  const told = (await hostUptimeMs(daemon, signal)) ?? 0;

  const upMs = uptime() * 1000;
  expect(told).toBeGreaterThan(upMs / 2);
  expect(told).toBeLessThan(upMs * 1.01);
});

it.each([
  ['has been up since', { kernel: 1_000_000n, user: 2_000_000n, idle: 3_000_000n, iowait: 4_000_000n }, 10],
  ['says nothing of its rest', { kernel: 1_000_000n, user: 2_000_000n }, undefined],
])('of a host that %s', async (_, stats, milliseconds) => {
  expect(await hostUptimeMs({ nodeGetCpuStats: async () => stats }, signal)).toBe(milliseconds);
});

it('is not known where the hypervisor does not tell, and not asked in vain where the connection is lost', async () => {
  expect(await hostUptimeMs(failing('unsupported'), signal)).toBeUndefined();
  await expect(hostUptimeMs(failing('connection-lost'), signal)).rejects.toMatchObject({ code: 'connection-lost' });
});

function failing(code: 'unsupported' | 'connection-lost'): UptimeSource {
  return { nodeGetCpuStats: () => Promise.reject(new LibvirtError(code, 'no')) };
}
