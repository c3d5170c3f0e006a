import type { ComputeHost } from '@smalt/compute';
import { expect, it } from 'vitest';

import { identifyHost, type IdentityView } from './identify-host.ts';

const IDENTITY = { hypervisorId: 'hypervisor-1', serviceId: 'service-1' };

it.each([
  { case: 'the ids that it says', change: {} },
  { case: 'a longer name of the same host', change: { found: computeHost('n1.example.org') } },
  { case: 'no object, but a host of exactly its name', change: { stated: undefined } },
])('is known by $case', ({ change }) => {
  expect(identifyHost(view(change))).toEqual({ kind: 'known', identity: IDENTITY });
});

it.each([
  { case: 'hosts that were never listed', change: { isListed: false }, kind: 'unreachable', says: 'cannot be reached' },
  { case: 'no ids in its object', change: { stated: { identity: undefined } }, kind: 'identity', says: 'has no ids' },
  {
    case: 'ids that others claim too',
    change: { isDisputed: true },
    kind: 'identity',
    says: 'several Hypervisors claim',
  },
  { case: 'ids that nobody has', change: { found: undefined }, kind: 'identity', says: 'has no service service-1' },
  {
    case: 'another name',
    change: { found: computeHost('n10') },
    kind: 'identity',
    says: 'calls the service of n1 n10',
  },
  {
    case: 'neither an object nor its exact name',
    change: { stated: undefined, found: undefined },
    kind: 'identity',
    says: 'create it anew',
  },
])('is not certain with $case, and the sentence says so', ({ change, kind, says }) => {
  expect(identifyHost(view(change))).toEqual({
    kind: 'unknown',
    gap: { kind, message: expect.stringContaining(says) },
  });
});

function view(change: Partial<IdentityView>): IdentityView {
  return {
    name: 'n1',
    stated: { identity: IDENTITY },
    found: computeHost('n1'),
    isDisputed: false,
    isListed: true,
    ...change,
  };
}

function computeHost(name: string): ComputeHost {
  const standing = { isEnabled: true, disabledReason: undefined, isForcedDown: false, isUp: true, zone: undefined };
  return { ...IDENTITY, name, ...standing };
}
