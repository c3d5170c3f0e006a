import type { Hypervisor } from '@smalt/fleet-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { registerHost } from '../fixtures/registered-host.ts';
import { HostClaims } from '../hosts/host-claims.ts';
import { hostIdentity } from '../hosts/host-identity.ts';
import { VerifiedStates } from '../hosts/verified-states.ts';
import { serviceChanges } from './fixtures/service-changes.ts';
import { defaultMaintenanceSettings } from './maintenance-settings.ts';
import { settleComputeService, type OutdatedService, type SettledService } from './settle-compute-service.ts';

const SIGNAL = AbortSignal.timeout(120_000);

let bed: OperatorBed;

beforeAll(async () => {
  bed = await startOperatorBed({ openStack: { listingMs: 10 } });
});

afterAll(() => bed[Symbol.asyncDispose]());

it('a host that leaves maintenance is opened, though it is forced down', async () => {
  const seen = await leavingHost('leaving');

  await expect(open(seen)).resolves.toMatchObject({ kind: 'settled', condition: { status: 'False' } });

  expect(serviceChanges(bed, 'leaving')).toEqual([{ status: 'enabled', forced_down: false }]);
});

it.each<{ what: string; name: string; change: (name: string) => Promise<unknown> }>([
  {
    what: 'in the hands of high availability',
    name: 'fenced',
    change: (name) => bed.hypervisors.patch(name, 'merge', { spec: { maintenance: 'ha' } }),
  },
  {
    what: 'in maintenance again',
    name: 'closed',
    change: (name) => bed.hypervisors.patch(name, 'merge', { spec: { maintenance: 'auto' } }),
  },
  { what: 'gone', name: 'gone', change: (name) => bed.hypervisors.delete(name) },
])('a host that is $what stays closed, though nobody has told the operator yet', async ({ name, change }) => {
  const seen = await leavingHost(name);
  await change(name);

  await expect(open(seen)).resolves.toEqual({ kind: 'outdated' });

  expect(serviceChanges(bed, name)).toEqual([]);
  expect(bed.cloud.host(name)).toMatchObject({ status: 'disabled', isForcedDown: true });
});

/** A host that leaves maintenance, and was forced down meanwhile. */
async function leavingHost(name: string): Promise<Hypervisor> {
  const conditions = ['Onboarding=False/Succeeded', 'HypervisorDisabled=True/Succeeded'];
  await registerHost(bed, name, { conditions });
  bed.cloud.changeHost(name, { status: 'disabled', disabledReason: 'HA: fenced', isForcedDown: true });
  return await bed.hypervisors.get(name);
}

/** Opens a host by a cache that has no newer version of it than this one. */
async function open(hypervisor: Hypervisor): Promise<SettledService | OutdatedService> {
  const { client, compute, recorder, hypervisors, clock } = bed.operator.context;
  const claims = new HostClaims(hypervisors, client);
  const verified = new VerifiedStates(hypervisors, clock);
  const host = hostIdentity(hypervisor);
  if (host === undefined) throw new TypeError('the host has no ids');
  return await settleComputeService(
    { client, compute, recorder, claims, verified, settings: defaultMaintenanceSettings },
    { hypervisor, host, wanted: { kind: 'enabled' }, signal: SIGNAL, isOutdated: () => false },
  );
}
