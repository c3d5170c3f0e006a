import { findKubernetes } from '@smalt/bed-kubernetes';
import { startTestDaemons, type TestDaemons } from '@smalt/bed-libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { callsPerHostMinute, cpuShare, residentBytes, watchBytesPerHostMinute } from './figures.ts';
import { PARTS, type FleetResult, type FleetSample } from './fleet-result.ts';
import { measureFleet } from './measure-fleet.ts';
import type { ServerName } from './server-name.ts';

const PLAN = {
  sizes: [2, 3],
  machinesPerHost: 2,
  hostsPerProcess: 2,
  clients: 2,
  settleSeconds: 1,
  windowSeconds: 12,
  restartsPerMinute: 0.5,
};

describe('the benchmark of a fleet', { timeout: 240_000 }, () => {
  let swarm: TestDaemons;

  beforeAll(async () => {
    swarm = await startTestDaemons(3);
  }, 60_000);

  afterAll(() => swarm[Symbol.asyncDispose]());

  it('measures a fleet that grows on our API server', async () => {
    const result = await measure('smalt');

    expect(result).toEqual({ server: 'smalt', samples: [whole(2), whole(3)], end: undefined });
  });

  it.skipIf(findKubernetes() === undefined)('measures a fleet that grows on kube-apiserver', async () => {
    const result = await measure('kubernetes');

    expect(result).toEqual({ server: 'kubernetes', samples: [whole(2), whole(3)], end: undefined });
  });

  async function measure(server: ServerName): Promise<FleetResult> {
    const { daemons } = swarm;
    const signal = AbortSignal.timeout(230_000);
    return await measureFleet({ server, program: 'sources', daemons, plan: PLAN, progress: () => undefined, signal });
  }
});

/** What is measured of a fleet: of each thing something, and more calls than a host makes at rest, for machines are restarted. */
function whole(hosts: number): unknown {
  return expect.toSatisfy((sample: FleetSample | undefined) => {
    if (sample === undefined) return false;
    const isOfSize = sample.hosts === hosts && sample.machines === 2 * hosts && sample.broughtUpMachines > 0;
    const isChanged = sample.restarts > 0 && watchBytesPerHostMinute(sample) > 0 && sample.openWatches > 5 * hosts;
    const isPaid = PARTS.every((part) => cpuShare(sample, [part]) > 0 && residentBytes(sample, [part]) > 5e6);
    return isOfSize && isChanged && isPaid && callsPerHostMinute(sample) > 10 && sample.broughtUpCpuSeconds > 0;
  });
}
