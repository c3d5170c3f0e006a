import { expect, it } from 'vitest';

import { podObject } from '../fixtures/pods.ts';
import { refusalOf } from './check-pod.ts';
import type { RunnerContainer, RunnerPod } from './pod.ts';

it('runs launchers', () => {
  expect(refusalOf(podObject())).toBeUndefined();
});

it.each([
  { case: 'another program', pod: running(['sleep', '1']), says: 'not "sleep 1"' },
  {
    case: 'more words',
    pod: running(['smalt', 'virt-launcher', ';', 'reboot']),
    says: 'runs "smalt virt-launcher" alone',
  },
  { case: 'an image alone', pod: withContainers([{ name: 'a', image: 'nginx' }]), says: 'not the image nginx' },
  { case: 'two containers', pod: withContainers([{ name: 'a' }, { name: 'b' }]), says: 'of one container, not of 2' },
  { case: 'no container', pod: withContainers([]), says: 'of one container, not of 0' },
  { case: 'init containers', pod: withSpec({ initContainers: [{ name: 'i' }] }), says: 'spec.initContainers' },
  { case: 'a volume that leads away', pod: withSpec({ volumes: [{ name: '../x' }] }), says: '"../x" is no name' },
  {
    case: 'a hostile uid',
    pod: podObject({ metadata: { name: 'p', uid: '../../etc' } }),
    says: '"../../etc" is no uid',
  },
  { case: 'no uid', pod: podObject({ metadata: { name: 'p' } }), says: 'is no uid' },
])('refuses $case', ({ pod, says }) => {
  expect(refusalOf(pod)).toContain(says);
});

function withSpec(spec: Partial<RunnerPod['spec']>): RunnerPod {
  const pod = podObject();
  return { ...pod, spec: { ...pod.spec, ...spec } };
}

function withContainers(containers: readonly RunnerContainer[]): RunnerPod {
  return withSpec({ containers });
}

function running(command: readonly string[]): RunnerPod {
  return withContainers([{ name: 'compute', command }]);
}
