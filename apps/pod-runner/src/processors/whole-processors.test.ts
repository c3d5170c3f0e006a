import { expect, it } from 'vitest';

import { launcherPod } from '../fixtures/runner-bed.ts';
import type { RunnerPod } from '../pods/pod.ts';
import { wholeProcessors } from './whole-processors.ts';

const memory = '64Mi';

it.each([
  { what: 'whole ones', resources: { requests: { cpu: '2', memory }, limits: { cpu: '2', memory } }, count: 2 },
  { what: 'thousandths that are whole', resources: { limits: { cpu: '1000m', memory } }, count: 1 },
  { what: 'a half', resources: { limits: { cpu: '1500m', memory } }, count: undefined },
  { what: 'no limit', resources: { requests: { cpu: '2', memory } }, count: undefined },
  {
    what: 'memory that may grow',
    resources: { requests: { cpu: '1', memory }, limits: { cpu: '1', memory: '1Gi' } },
    count: undefined,
  },
  { what: 'none', resources: {}, count: undefined },
])('gives a pod that asks for $what $count', ({ resources, count }) => {
  expect(wholeProcessors(asking(resources))).toBe(count);
});

function asking(resources: object): RunnerPod {
  const { metadata, spec } = launcherPod('a');
  const containers = spec.containers.map((container) => ({ ...container, resources }));
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'a' }, spec: { ...spec, containers } };
}
