import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { labelledNode, node, pod, sizedPod } from './fixtures/objects.ts';
import { placePod, type Placement } from './place-pod.ts';
import type { Pod } from './pod.ts';

describe('placePod', () => {
  it('says so when there are no nodes', () => {
    expect(placePod(pod('a'), [], [])).toMatchObject({ message: 'no nodes available to schedule pods' });
  });

  it('prefers the node of which the least is taken', () => {
    const taken = sizedPod('large', { cpu: '2', memory: '4Gi' }, { nodeName: 'n1' });

    expect(nameOf(placePod(pod('a'), [node('n1'), node('n2')], [taken]))).toBe('n2');
  });

  it('takes the first by name among equals, whatever their order', () => {
    expect(nameOf(placePod(pod('a'), [node('n2'), node('n1')], []))).toBe('n1');
  });

  it('counts all reasons of all nodes in one message', () => {
    const nodes = [
      node('small', { allocatable: { memory: '1Gi' } }),
      node('tiny', { allocatable: { memory: '1Gi', cpu: '1' } }),
      node('cordoned', { spec: { unschedulable: true } }),
      node('tainted', { spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] } }),
    ];

    const placement = placePod(sizedPod('a', { cpu: '2', memory: '2Gi' }), nodes, []);

    expect(placement).toMatchObject({
      kind: 'unschedulable',
      message:
        '0/4 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint {gpu: yes}, 1 node(s) were unschedulable, 2 Insufficient memory.',
    });
  });

  it('counts the room for disks that go with their pods', () => {
    const roomy = node('roomy', { allocatable: { 'ephemeral-storage': '10G' } });
    const taken = sizedPod('large', { 'ephemeral-storage': '8G' }, { nodeName: 'roomy' });

    expect(nameOf(placePod(sizedPod('a', { 'ephemeral-storage': '2G' }), [roomy], [taken]))).toBe('roomy');
    expect(placePod(sizedPod('b', { 'ephemeral-storage': '2001M' }), [roomy], [taken])).toMatchObject({
      message: '0/1 nodes are available: 1 Insufficient ephemeral-storage.',
    });
  });

  it.each([
    ['the cordon', { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }],
    ['everything', { operator: 'Exists' }],
  ])('goes to a cordoned node when the pod tolerates %s', (_what, toleration) => {
    const nodes = [node('n1', { spec: { unschedulable: true } })];

    expect(nameOf(placePod(pod('a', { tolerations: [toleration] }), nodes, []))).toBe('n1');
  });

  it('avoids a node that would rather not have it, but goes there when there is no other', () => {
    const reluctant = node('n1', { spec: { taints: [{ key: 'busy', effect: 'PreferNoSchedule' }] } });

    expect(nameOf(placePod(pod('a'), [reluctant, node('n2')], []))).toBe('n2');
    expect(nameOf(placePod(pod('a'), [reluctant], []))).toBe('n1');
  });

  it('follows the wishes about the node by their weight', () => {
    const affinity = {
      nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [wish('a', 10), wish('b', 60)] },
    };
    const nodes = [labelledNode('n1', { zone: 'a' }), labelledNode('n2', { zone: 'b' }), node('n3')];

    expect(nameOf(placePod(pod('a', { affinity }), nodes, []))).toBe('n2');
  });

  it('never gives a node more than it has, and leaves no pod out that fits', () => {
    const amounts = fc.record({ cpu: fc.integer({ min: 1, max: 3000 }), memory: fc.integer({ min: 1, max: 6000 }) });
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 25, size: 'max' }), (sizes) => {
        const nodes = [node('n1'), node('n2')];
        const placed: Pod[] = [];
        const rooms = new Map(nodes.map(({ metadata }) => [metadata.name, { cpu: 4000, memory: 8192 }]));
        for (const [index, { cpu, memory }] of sizes.entries()) {
          const next = sizedPod(`p${index}`, { cpu: `${cpu}m`, memory: `${memory}Mi` });
          const fits = [...rooms.values()].some((room) => room.cpu >= cpu && room.memory >= memory);
          const name = nameOf(placePod(next, nodes, placed));
          expect(name !== undefined).toBe(fits);
          const room = rooms.get(name ?? '');
          if (room === undefined || name === undefined) continue;
          rooms.set(name, { cpu: room.cpu - cpu, memory: room.memory - memory });
          expect(Math.min(...Object.values(rooms.get(name) ?? {}))).toBeGreaterThanOrEqual(0);
          placed.push({ ...next, spec: { ...next.spec, nodeName: name } });
        }
      }),
      { numRuns: 60 },
    );
  });
});

function nameOf(placement: Placement): string | undefined {
  return placement.kind === 'placed' ? placement.nodeName : undefined;
}

function wish(zone: string, weight: number) {
  return { weight, preference: { matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] } };
}
