import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { node, pod, sizedPod } from '../fixtures/objects.ts';
import { placeIn, placePod } from '../place-pod.ts';
import type { Pod } from '../pod.ts';
import { Cluster } from './cluster.ts';

describe('Cluster', () => {
  it('gives room back when a pod ends, goes, or moves', () => {
    const cluster = new Cluster();
    cluster.setNode(node('n1'));
    const large = sizedPod('large', { cpu: '4', memory: '1Gi' });
    const roomFor = () => placeIn(cluster, large).kind;

    cluster.setPod(on(large, 'n1'));
    expect(roomFor()).toBe('unschedulable');

    cluster.setPod({ ...on(large, 'n1'), status: { phase: 'Succeeded' } });
    expect(roomFor()).toBe('placed');

    cluster.setPod(on(large, 'n1'));
    cluster.setPod(on(large, 'n2'));
    expect(roomFor()).toBe('placed');

    cluster.setPod(on(large, 'n1'));
    cluster.removePod('default/large');
    expect(roomFor()).toBe('placed');
  });

  it('counts pods that it knew before their node', () => {
    const cluster = new Cluster();
    cluster.setPod(on(sizedPod('early', { cpu: '4' }), 'n1'));
    cluster.setNode(node('n1'));

    expect(placeIn(cluster, pod('next')).kind).toBe('unschedulable');
  });

  it('keeps the room of a pod that was placed while the API does not know its node yet', () => {
    const cluster = new Cluster();
    cluster.setNode(node('n1'));
    const large = sizedPod('large', { cpu: '4' });
    cluster.assume(large, 'n1');

    cluster.setPod(large);
    expect(placeIn(cluster, pod('next')).kind).toBe('unschedulable');

    cluster.removePod('default/large');
    expect(placeIn(cluster, pod('next')).kind).toBe('placed');
  });

  it('notices a device that a node gets later', () => {
    const cluster = new Cluster();
    cluster.setNode(node('n1'));
    const kvm = { 'devices.kubevirt.io/kvm': '1' };
    expect(placeIn(cluster, sizedPod('vm', kvm))).toMatchObject({
      message: '0/1 nodes are available: 1 Insufficient devices.kubevirt.io/kvm.',
    });

    cluster.setNode(node('n1', { allocatable: { 'devices.kubevirt.io/kvm': '1000' } }));

    expect(placeIn(cluster, sizedPod('vm', kvm)).kind).toBe('placed');
  });

  it('limits the number of pods', () => {
    const cluster = new Cluster();
    cluster.setNode(node('n1', { allocatable: { pods: '1' } }));
    cluster.setPod(on(pod('first'), 'n1'));

    expect(placeIn(cluster, pod('second'))).toMatchObject({
      message: '0/1 nodes are available: 1 Too many pods.',
    });
  });

  it('is the same after any changes as one made anew of what is left', () => {
    const change = fc.record({
      name: fc.integer({ min: 0, max: 6 }),
      where: fc.constantFrom('', 'n1', 'n2', 'gone'),
      app: fc.constantFrom('a', 'b'),
      avoids: fc.constantFrom(undefined, 'a', 'b'),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30, size: 'max' }), (changes) => {
        const nodes = [node('n1'), node('n2')];
        const cluster = new Cluster();
        for (const each of nodes) cluster.setNode(each);
        const left = new Map<string, Pod>();
        for (const { name, where, app, avoids } of changes) {
          const each = on(avoiding(`p${name}`, app, avoids), where);
          if (where === 'gone') cluster.removePod(`default/p${name}`);
          else cluster.setPod(each);
          if (where === 'gone') left.delete(`p${name}`);
          else left.set(`p${name}`, each);
        }
        for (const app of ['a', 'b']) {
          const next = avoiding('next', app, app);
          expect(placeIn(cluster, next)).toEqual(placePod(next, nodes, [...left.values()]));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('places a thousand pods on fifty nodes evenly, with anti-affinity of each to its own kind', () => {
    const cluster = new Cluster();
    for (let index = 0; index < 50; index += 1) cluster.setNode(node(`n${index}`));
    const counts = new Map<string, number>();
    for (let index = 0; index < 1000; index += 1) {
      const next = avoiding(`vm-${index}`, `vm-${index % 500}`, `vm-${index % 500}`);
      const placement = placeIn(cluster, next);
      if (placement.kind !== 'placed') throw new Error(placement.message);
      cluster.assume(next, placement.nodeName);
      counts.set(placement.nodeName, (counts.get(placement.nodeName) ?? 0) + 1);
    }

    expect([...new Set(counts.values())]).toEqual([20]);
  });
});

function on(each: Pod, nodeName: string): Pod {
  return nodeName === '' ? each : { ...each, spec: { ...each.spec, nodeName } };
}

function avoiding(name: string, app: string, avoided: string | undefined): Pod {
  if (avoided === undefined) return pod(name, {}, { app });
  const labelSelector = { matchLabels: { app: avoided } };
  const terms = [{ topologyKey: 'kubernetes.io/hostname', labelSelector }];
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
  return pod(name, { affinity }, { app });
}
