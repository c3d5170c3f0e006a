import { startHost, startTestDaemon } from '@smalt/bed-libvirt';
import { connect } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { readHostFacts, versionText } from './host-facts.ts';

it.each([
  { packed: 9_000_000n, text: '9.0.0' },
  { packed: 11_003_002n, text: '11.3.2' },
])('reads the version $packed as $text', ({ packed, text }) => {
  expect(versionText(packed)).toBe(text);
});

it("reads the facts of libvirt's test driver", async () => {
  await using daemon = await startTestDaemon();
  await using connection = await connect(daemon.uri);

  expect(await readHostFacts(connection, AbortSignal.timeout(10_000))).toMatchObject({
    driver: 'TEST',
    driverVersion: '0.0.2',
    processors: 16,
    memoryMiB: 3072,
    numaCells: 2,
    hasKvm: false,
    runningDomains: 1,
    knownDomains: 1,
  });
});

it('reads the facts of a host with two NUMA cells', { timeout: 60_000 }, async () => {
  await using host = await startHost({
    name: 'big',
    numa: { cells: 2, coresPerCell: 8, threads: 2, memoryKiBPerCell: 64 << 20 },
  });
  await using connection = await connect(host.uri);

  expect(await readHostFacts(connection, AbortSignal.timeout(20_000))).toMatchObject({
    hostname: 'big',
    driver: 'QEMU',
    architecture: 'x86_64',
    processors: 32,
    numaCells: 2,
    runningDomains: 0,
  });
});
