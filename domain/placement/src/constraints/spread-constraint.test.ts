import type { TopologySpreadConstraint } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { Cluster } from '../cluster/cluster.ts';
import { labelledNode, node, pod } from '../fixtures/objects.ts';
import { placeIn } from '../place-pod.ts';
import type { Pod } from '../pod.ts';

const APP = { app: 'web' };

describe('spread over places', () => {
  it('puts pods into zones by turns', () => {
    const cluster = zones({ a: 2, b: 1 });

    expect(fill(cluster, 4).map((name) => name.charAt(0))).toEqual(['a', 'b', 'a', 'b']);
  });

  it('says when a place would get too many', () => {
    const cluster = zones({ a: 1, b: 1 });
    cluster.setNode(labelledNode('b1', { zone: 'b', full: 'yes' }));
    cluster.setPod(webPod('x', {}, 'a1'));
    const next = { ...webPod('y'), spec: { ...webPod('y').spec, nodeSelector: { zone: 'a' } } };
    const strict = spreading({ nodeAffinityPolicy: 'Ignore' });

    const placement = placeIn(cluster, { ...next, spec: { ...next.spec, topologySpreadConstraints: [strict] } });

    expect(placement).toMatchObject({
      message: `0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) didn't match pod topology spread constraints.`,
    });
  });

  it('does not count places that the pod cannot go to anyway', () => {
    const cluster = zones({ a: 1, b: 1 });
    cluster.setPod(webPod('x', {}, 'a1'));
    const spec = { ...webPod('y').spec, nodeSelector: { zone: 'a' } };

    expect(placeIn(cluster, { ...webPod('y'), spec })).toEqual({ kind: 'placed', nodeName: 'a1' });
  });

  it('does not go to nodes without the label', () => {
    const cluster = new Cluster();
    cluster.setNode(node('n1', { metadata: { name: 'n1' } }));

    expect(placeIn(cluster, webPod('x'))).toMatchObject({
      message: `0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label).`,
    });
  });

  it('counts missing places as empty', () => {
    const cluster = zones({ a: 2 });
    cluster.setPod(webPod('x', {}, 'a1'));

    expect(placeIn(cluster, webPod('y', { minDomains: 2 })).kind).toBe('unschedulable');
    expect(placeIn(cluster, webPod('y')).kind).toBe('placed');
  });

  it('does not count pods that are on their way out', () => {
    const cluster = zones({ a: 1, b: 1 });
    const leaving = webPod('x', {}, 'a1');
    const metadata = { ...leaving.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    cluster.setPod({ ...leaving, metadata });
    cluster.setPod(webPod('y', {}, 'b1'));

    expect(placeIn(cluster, webPod('z'))).toEqual({ kind: 'placed', nodeName: 'a1' });
  });

  it('only prefers the emptier place when it need not be even', () => {
    const cluster = zones({ a: 1, b: 1 });
    for (const name of ['1', '2', '3']) cluster.setPod(webPod(name, {}, 'a1'));
    const soft = { whenUnsatisfiable: 'ScheduleAnyway' };

    expect(placeIn(cluster, webPod('z', soft))).toEqual({ kind: 'placed', nodeName: 'b1' });
    cluster.removeNode('b1');

    expect(placeIn(cluster, webPod('z', soft))).toEqual({ kind: 'placed', nodeName: 'a1' });
  });
});

function zones(counts: Readonly<Record<string, number>>): Cluster {
  const cluster = new Cluster();
  for (const [zone, count] of Object.entries(counts)) {
    for (let index = 1; index <= count; index += 1) cluster.setNode(labelledNode(`${zone}${index}`, { zone }));
  }
  return cluster;
}

function fill(cluster: Cluster, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const next = webPod(`p${index}`);
    const placement = placeIn(cluster, next);
    if (placement.kind !== 'placed') return placement.message;
    cluster.assume(next, placement.nodeName);
    return placement.nodeName;
  });
}

function webPod(name: string, change: Partial<TopologySpreadConstraint> = {}, nodeName?: string): Pod {
  const spec = { topologySpreadConstraints: [spreading(change)] };
  return pod(name, nodeName === undefined ? spec : { ...spec, nodeName }, APP);
}

function spreading(change: Partial<TopologySpreadConstraint>): TopologySpreadConstraint {
  return {
    maxSkew: 1,
    topologyKey: 'zone',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: APP },
    ...change,
  };
}
