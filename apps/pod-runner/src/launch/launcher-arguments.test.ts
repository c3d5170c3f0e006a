import { expect, it } from 'vitest';

import { podObject } from '../fixtures/pods.ts';
import type { PodSecurity, RunnerPod } from '../pods/pod.ts';
import { launcherArguments, launcherUser } from './launcher-arguments.ts';

const place = { smaltCommand: ['/node', '/main.ts'], sandbox: '/pods/u', guestCgroup: '/smalt/pods/u/guest' };

it('runs the launcher with what the pod says and where it is', () => {
  expect(launcherArguments(podObject(), place)).toEqual([
    '/node',
    '/main.ts',
    'virt-launcher',
    '--name=vm',
    '--sandbox=/pods/u',
    '--guest-cgroup=/smalt/pods/u/guest',
  ]);
});

it('takes privileges from a launcher that is not root, and tells it whom to become', () => {
  const words = launcherArguments(secured({ runAsUser: 107, runAsGroup: 108 }, {}), place);

  expect(words.slice(0, 5)).toEqual([
    'setpriv',
    '--no-new-privs',
    '--inh-caps=-all',
    '--bounding-set=-all,+setuid,+setgid,+dac_read_search',
    '--',
  ]);
  expect(words.at(-1)).toBe('--user=107:108');
});

it.each([
  { pod: {}, container: {}, user: { userId: 0, groupId: 0 } },
  { pod: { runAsUser: 107 }, container: {}, user: { userId: 107, groupId: 107 } },
  { pod: { runAsUser: 107, runAsGroup: 5 }, container: { runAsUser: 9 }, user: { userId: 9, groupId: 5 } },
])('the user of the pod $pod and the container $container is $user', ({ pod, container, user }) => {
  expect(launcherUser(secured(pod, container))).toEqual(user);
});

function secured(pod: PodSecurity, container: PodSecurity): RunnerPod {
  const object = podObject();
  const containers = object.spec.containers.map((each) => ({ ...each, securityContext: container }));
  return { ...object, spec: { ...object.spec, securityContext: pod, containers } };
}
