import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { testHypervisor, testNode, type HypervisorParts, type NodeParts } from '../fixtures/fleet-objects.ts';
import { decideHypervisorChange, newHypervisor } from './decide-hypervisor.ts';
import { defaultHypervisorSettings } from './hypervisor-settings.ts';

const AGGREGATES = 'nova.openstack.cloud.sap/aggregates';
const TRAITS = 'nova.openstack.cloud.sap/custom-traits';
const LIFECYCLE = 'cobaltcore.cloud.sap/node-hypervisor-lifecycle';
const ZONE = 'topology.kubernetes.io/zone';
const NOTE = 'kvm.cloud.sap/from-node';

describe('newHypervisor', () => {
  it('is as the settings say where the node says nothing', () => {
    expect(newHypervisor(testNode('n1'), defaultHypervisorSettings)).toEqual({
      metadata: {
        name: 'n1',
        labels: {},
        annotations: { [NOTE]: '' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'uid-of-n1', blockOwnerDeletion: true }],
      },
      spec: {
        aggregates: [],
        allowedProjects: [],
        createCertManagerCertificate: false,
        customTraits: [],
        evacuateOnReboot: true,
        highAvailability: true,
        installCertificate: true,
        lifecycleEnabled: false,
        reboot: false,
        skipTests: false,
      },
    });
  });

  it.each<{ what: string; node: NodeParts; spec: object }>([
    {
      what: 'a lifecycle label',
      node: { labels: { [LIFECYCLE]: 'true' } },
      spec: { lifecycleEnabled: true, skipTests: false },
    },
    {
      what: 'a lifecycle label without a value',
      node: { labels: { [LIFECYCLE]: '' } },
      spec: { lifecycleEnabled: true },
    },
    {
      what: 'skipped tests',
      node: { labels: { [LIFECYCLE]: 'skip-tests' } },
      spec: { lifecycleEnabled: true, skipTests: true },
    },
    { what: 'a zone alone', node: { labels: { [ZONE]: 'a' } }, spec: { aggregates: [] } },
    {
      what: 'no aggregates but a zone',
      node: { labels: { [ZONE]: 'a' }, annotations: { [AGGREGATES]: '' } },
      spec: { aggregates: ['a'] },
    },
    {
      what: 'aggregates and a zone',
      node: { labels: { [ZONE]: 'a' }, annotations: { [AGGREGATES]: ' x, y,,x ' } },
      spec: { aggregates: ['x', 'y', 'a'] },
    },
    {
      what: 'the zone twice',
      node: { labels: { [ZONE]: 'a' }, annotations: { [AGGREGATES]: 'a,x' } },
      spec: { aggregates: ['a', 'x'] },
    },
    { what: 'aggregates without a zone', node: { annotations: { [AGGREGATES]: 'x' } }, spec: { aggregates: ['x'] } },
    { what: 'empty traits', node: { annotations: { [TRAITS]: '' } }, spec: { customTraits: [] } },
    {
      what: 'traits',
      node: { annotations: { [TRAITS]: 'CUSTOM_A, CUSTOM_B' } },
      spec: { customTraits: ['CUSTOM_A', 'CUSTOM_B'] },
    },
    { what: 'a terminating node', node: { terminating: 'True' }, spec: { maintenance: 'termination' } },
    {
      what: 'a deleted node',
      node: { deletionTimestamp: '2026-03-01T12:00:00Z' },
      spec: { maintenance: 'termination' },
    },
  ])('heeds $what', ({ node, spec }) => {
    expect(newHypervisor(testNode('n1', node), defaultHypervisorSettings).spec).toMatchObject(spec);
  });

  it('is in no maintenance when the node was going to terminate and is not any more', () => {
    const { spec } = newHypervisor(testNode('n1', { terminating: 'False' }), defaultHypervisorSettings);

    expect(spec).not.toHaveProperty('maintenance');
  });

  it('has the labels of the node that are transferred, and notes what came from it', () => {
    const labels = { [ZONE]: 'a', 'kubernetes.io/hostname': 'n1', 'example.com/other': 'x', shard: '1' };
    const settings = {
      ...defaultHypervisorSettings,
      transferLabels: [...defaultHypervisorSettings.transferLabels, 'shard'],
    };

    const { metadata } = newHypervisor(testNode('n1', { labels, annotations: { [TRAITS]: 'CUSTOM_A' } }), settings);

    expect(metadata.labels).toEqual({ [ZONE]: 'a', 'kubernetes.io/hostname': 'n1', shard: '1' });
    expect(metadata.annotations).toEqual({ [NOTE]: `spec.customTraits,kubernetes.io/hostname,shard,${ZONE}` });
  });
});

describe('decideHypervisorChange', () => {
  it.each<{ what: string; node?: NodeParts; is?: HypervisorParts; change: object | undefined }>([
    { what: 'nothing when there is nothing to say', change: undefined },
    {
      what: 'nothing for fields that others set',
      is: { spec: { aggregates: ['x'], customTraits: ['CUSTOM_A'] }, metadata: { labels: { [ZONE]: 'a' } } },
      change: undefined,
    },
    {
      what: 'a lifecycle that is switched on',
      node: { labels: { [LIFECYCLE]: 'skip-tests' } },
      is: { spec: { lifecycleEnabled: false } },
      change: { spec: { lifecycleEnabled: true, skipTests: true } },
    },
    {
      what: 'nothing when the lifecycle label goes',
      is: { spec: { lifecycleEnabled: true, skipTests: true } },
      change: undefined,
    },
    {
      what: 'a label that is new',
      node: { labels: { [ZONE]: 'a' } },
      change: { metadata: { labels: { [ZONE]: 'a' }, annotations: { [NOTE]: ZONE } } },
    },
    {
      what: 'a label that is another',
      node: { labels: { [ZONE]: 'b' } },
      is: { metadata: { labels: { [ZONE]: 'a' }, annotations: { [NOTE]: ZONE } } },
      change: { metadata: { labels: { [ZONE]: 'b' } } },
    },
    {
      what: 'a label that the node has lost',
      is: { metadata: { labels: { [ZONE]: 'a', mine: '1' }, annotations: { [NOTE]: ZONE } } },
      change: { metadata: { labels: { [ZONE]: null }, annotations: { [NOTE]: '' } } },
    },
    {
      what: 'aggregates of the node',
      node: { annotations: { [AGGREGATES]: 'x' } },
      is: { spec: { aggregates: ['y'] } },
      change: { metadata: { annotations: { [NOTE]: 'spec.aggregates' } }, spec: { aggregates: ['x'] } },
    },
    {
      what: 'aggregates and traits that the node does not ask for any more',
      is: {
        metadata: { annotations: { [NOTE]: 'spec.aggregates,spec.customTraits' } },
        spec: { aggregates: ['x'], customTraits: ['CUSTOM_A'] },
      },
      change: { metadata: { annotations: { [NOTE]: '' } }, spec: { aggregates: [], customTraits: [] } },
    },
    {
      what: 'only labels while the spec is frozen',
      node: { labels: { [ZONE]: 'b', [LIFECYCLE]: 'true' }, annotations: { [TRAITS]: 'CUSTOM_B' } },
      is: {
        metadata: { labels: { [ZONE]: 'a' }, annotations: { [NOTE]: `spec.aggregates,${ZONE}` } },
        spec: { maintenance: 'termination', lifecycleEnabled: false, aggregates: ['x'] },
      },
      change: { metadata: { labels: { [ZONE]: 'b' } } },
    },
    {
      what: 'the spec again once it is not frozen',
      node: { annotations: { [TRAITS]: 'CUSTOM_B' } },
      is: { metadata: { annotations: { [NOTE]: 'spec.aggregates' } }, spec: { maintenance: 'ha', aggregates: ['x'] } },
      change: {
        metadata: { annotations: { [NOTE]: 'spec.customTraits' } },
        spec: { aggregates: [], customTraits: ['CUSTOM_B'] },
      },
    },
    { what: 'no maintenance when the node terminates', node: { terminating: 'True' }, change: undefined },
  ])('is $what', ({ node, is, change }) => {
    const decided = decideHypervisorChange(testNode('n1', node), testHypervisor('n1', is), defaultHypervisorSettings);

    const expected = change && { ...change, metadata: { resourceVersion: '42', ...Object(change).metadata } };
    expect(decided).toEqual(expected);
  });

  it('survives a hypervisor without a spec', () => {
    const { spec: _, ...bare } = testHypervisor('n1');
    const node = testNode('n1', { annotations: { [TRAITS]: 'CUSTOM_A' } });

    expect(decideHypervisorChange(node, bare, defaultHypervisorSettings)).toMatchObject({
      spec: { customTraits: ['CUSTOM_A'] },
    });
  });

  it('asks for nothing more once a hypervisor is as it was decided', () => {
    fc.assert(
      fc.property(nodes, nodes, (before, after) => {
        const first = newHypervisor(testNode('n1', before), defaultHypervisorSettings);
        const made = testHypervisor('n1', { metadata: first.metadata, spec: { ...first.spec } });

        const patch = decideHypervisorChange(testNode('n1', after), made, defaultHypervisorSettings);
        const changed: typeof made = Object(merge(made, patch ?? {}));

        expect(decideHypervisorChange(testNode('n1', after), changed, defaultHypervisorSettings)).toBeUndefined();
        expect(changed.metadata.labels).toEqual(
          newHypervisor(testNode('n1', after), defaultHypervisorSettings).metadata.labels,
        );
      }),
    );
  });
});

const text = fc.constantFrom('', 'a', 'a,b', ' b ,a,');
const nodes: fc.Arbitrary<NodeParts> = fc.record({
  labels: fc.dictionary(fc.constantFrom(ZONE, LIFECYCLE, 'kubernetes.io/hostname', 'other'), fc.constantFrom('a', 'b')),
  annotations: fc.dictionary(fc.constantFrom(AGGREGATES, TRAITS), text),
});

/** What an API server makes of a JSON merge patch. */
function merge(target: object, patch: object): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = isObject(value) ? merge(Object(merged[name] ?? {}), value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
