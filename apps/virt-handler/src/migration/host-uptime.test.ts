import { uptime } from 'node:os';

import { startHost, startNetwork } from '@smalt/bed-libvirt';
import { connect, LibvirtError, type LibvirtErrorCode } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { hostUptimeMs, wasBootedWithin, type UptimeSource } from './host-uptime.ts';

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

it('is that of the processor that says most: one that went off and came back has forgotten what it did before', async () => {
  const rests = new Map([
    [1, 41_000_000n],
    [2, 2_000_000n],
  ]);
  const daemon: UptimeSource = {
    nodeGetCpuStats: async (asked) => {
      const idle = rests.get(asked?.cpuNum ?? -1);
      if (idle === undefined) throw refusal('invalid-arg', 8);
      return { user: 1_000_000n, idle };
    },
  };

  expect(await hostUptimeMs(daemon, signal)).toBe(42);
});

it.each([
  ['is unsupported here', new LibvirtError('unsupported', 'no')],
  ['is unsupported there', refusal('unsupported', 3)],
  ['is about processors that are off', refusal('invalid-arg', 8)],
  ['is not allowed', refusal('access-denied', 88)],
  ['fails', refusal('internal-error', 1)],
])('is not known where the question %s', async (_, error) => {
  expect(await hostUptimeMs(failing(error), signal)).toBeUndefined();
});

it.each(['connection-lost', 'timeout'] as const)('is not asked in vain where there is no answer: %s', async (code) => {
  await expect(hostUptimeMs(failing(new LibvirtError(code, 'no')), signal)).rejects.toMatchObject({ code });
});

it.each([
  ['was booted long after that', 60_000, true],
  ['may have been booted a firmware later', 612_200, true],
  ['has been up since before', 612_300, false],
  ['has been up for longer', 86_400_000, false],
  ['does not tell', undefined, false],
])('says of a host that %s whether it was booted since', (_, uptimeMs, booted) => {
  expect(wasBootedWithin(600_000, uptimeMs)).toBe(booted);
});

it('counts a host as booted since whose firmware takes but a moment', () => {
  expect(wasBootedWithin(20_000, 19_900)).toBe(true);
});

it.each([3_600_000, 86_400_000])(
  'is not misled by a host that tells a hundredth more than the truth of %i ms',
  (ageMs) => {
    const trueMs = ageMs - 30_000;

    expect(wasBootedWithin(ageMs, trueMs * 1.01)).toBe(true);
  },
);

function failing(refused: LibvirtError): UptimeSource {
  return { nodeGetCpuStats: () => Promise.reject(refused) };
}

function refusal(code: LibvirtErrorCode, number: number): LibvirtError {
  return new LibvirtError(code, 'no', { number });
}
