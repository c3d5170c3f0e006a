import { ClaimIndex, Cluster, placeIn } from '@smalt/placement';
import { expect, it } from 'vitest';

import { placePod } from './place-pod.ts';
import type { ScheduledPod } from './scheduled-pod.ts';

it('gives a pod its node', () => {
  expect(placePod(oneNode(), pod({}))).toMatchObject({ kind: 'placed', nodeName: 'n1' });
});

it('says what is wrong with a pod that asks for nonsense', () => {
  const labelSelector = { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] };
  const even = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' };

  expect(placePod(oneNode(), pod({ topologySpreadConstraints: [{ ...even, labelSelector }] }))).toEqual({
    kind: 'refused',
    refusal: {
      reason: 'SchedulerError',
      message: expect.stringContaining('labelSelector: values: Invalid value: []'),
    },
  });
});

it('passes on what is no fault of the pod', () => {
  const broken = {
    place: () => {
      throw new TypeError('a fault of ours');
    },
  };

  expect(() => placePod(broken, pod({}))).toThrow('a fault of ours');
});

function oneNode(): Parameters<typeof placePod>[0] {
  const cluster = new Cluster(new ClaimIndex());
  const labels = { 'kubernetes.io/hostname': 'n1' };
  cluster.setNode({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n1', labels },
    status: { allocatable: { cpu: '4', memory: '64Gi', pods: '110' } },
  });
  return { place: (wanted) => placeIn(cluster, wanted) };
}

function pod(spec: object): ScheduledPod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'd' }, spec: { containers: [], ...spec } };
}
