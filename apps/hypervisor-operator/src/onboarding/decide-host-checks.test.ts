import type { Hypervisor } from '@smalt/fleet-api';
import type { Bridge, OVSNode } from '@smalt/ovs-api';
import { expect, it } from 'vitest';

import { decideHostChecks } from './decide-host-checks.ts';
import { defaultOnboardingSettings } from './onboarding-settings.ts';

it.each([
  { title: 'says nothing of a host that nobody reports about', given: {}, causes: [] },
  { title: 'is content with a connection', given: { connection: 'True' as const }, causes: [] },
  {
    title: 'sees that libvirt is away',
    given: { connection: 'False' as const },
    causes: ['libvirt cannot be reached (ConnectFailed): see whether its daemon runs on node1'],
  },
  {
    title: 'sees that libvirt may be away',
    given: { connection: 'Unknown' as const },
    causes: ['libvirt cannot be reached (ConnectFailed): see whether its daemon runs on node1'],
  },
  {
    title: 'misses an agent that is required',
    given: {},
    settings: { requireNodeAgent: true },
    causes: ['no node agent has reported: see whether its pod runs on node1'],
  },
  { title: 'takes any version', given: { version: '0.1' }, causes: [] },
  {
    title: 'takes the oldest version',
    given: { version: '9.1.0' },
    settings: { minLibvirtVersion: '9.1' },
    causes: [],
  },
  { title: 'compares numbers', given: { version: '10.0.0' }, settings: { minLibvirtVersion: '9.1.5' }, causes: [] },
  {
    title: 'refuses an older version',
    given: { version: '9.1' },
    settings: { minLibvirtVersion: '9.1.5' },
    causes: ['libvirt is 9.1, but at least 9.1.5 is needed: update node1'],
  },
  {
    title: 'does not guess a version',
    given: { version: 'unknown' },
    settings: { minLibvirtVersion: '9.1.5' },
    causes: ['the version of libvirt is not known: see whether the node agent runs on node1'],
  },
  {
    title: 'finds all bridges',
    given: {},
    bridges: [{ name: 'br-int', status: 'Active' }, { name: 'br-ex' }, { name: 'br-other', status: 'Down' }],
    causes: [],
  },
  {
    title: 'misses a bridge and one that does not work',
    given: {},
    bridges: [{ name: 'br-int', status: 'Down' }],
    causes: ['the bridge br-int is Down: see OVSNode node1', 'the bridge br-ex is missing: add it on node1'],
  },
  {
    title: 'looks for other bridges',
    given: {},
    bridges: [],
    settings: { bridges: ['br-provider'] },
    causes: ['the bridge br-provider is missing: add it on node1'],
  },
  {
    title: 'misses an OVSNode that is required',
    given: {},
    settings: { requireOvsNode: true },
    causes: ['there is no OVSNode of node1: see whether its Open vSwitch agent runs'],
  },
  {
    title: 'names all causes at once',
    given: { connection: 'False' as const, version: '8.0.0' },
    settings: { minLibvirtVersion: '9', requireOvsNode: true },
    causes: [
      'libvirt cannot be reached (ConnectFailed): see whether its daemon runs on node1',
      'libvirt is 8.0.0, but at least 9 is needed: update node1',
      'there is no OVSNode of node1: see whether its Open vSwitch agent runs',
    ],
  },
])('$title', ({ given, bridges, settings, causes }) => {
  const node = bridges === undefined ? undefined : ovsNode(bridges);

  expect(decideHostChecks(hypervisor(given), node, { ...defaultOnboardingSettings, ...settings })).toEqual(causes);
});

interface Given {
  readonly connection?: 'True' | 'False' | 'Unknown';
  readonly version?: string;
}

function hypervisor({ connection, version }: Given): Hypervisor {
  const about = { reason: 'ConnectFailed', message: 'no', lastTransitionTime: '2026-01-01T00:00:00Z' };
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Hypervisor',
    metadata: { name: 'node1' },
    status: {
      numInstances: 0,
      ...(version !== undefined && { libVirtVersion: version }),
      conditions: connection === undefined ? [] : [{ type: 'LibVirtConnection', status: connection, ...about }],
    },
  };
}

function ovsNode(bridges: readonly Bridge[]): OVSNode {
  return {
    apiVersion: 'ovs.c5c3.io/v1alpha1',
    kind: 'OVSNode',
    metadata: { name: 'node1' },
    spec: { nodeRef: { name: 'node1' } },
    status: { bridges },
  };
}
