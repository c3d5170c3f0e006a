import type { PodSandbox } from '@smalt/pod-sandbox';
import { expect, it } from 'vitest';

import { requirePluggable } from './require-pluggable.ts';

const DISK = { kind: 'block', path: '/dev/sdb' } as const;
const FILES = { kind: 'directory', path: '/pods/holder/data' } as const;

it.each<[string, Partial<PodSandbox>, PodSandbox['volumes']]>([
  ['files', { hasDeviceRules: true }, { data: FILES }],
  ['a block device where the cgroup of a pod has no rules for devices', {}, { data: DISK }],
  ['a block device of its own pod', { hasDeviceRules: true, volumes: { data: DISK } }, { data: DISK }],
  ['what is not there yet', { hasDeviceRules: true }, {}],
])('lets %s be plugged in', (_, launcher, volumes) => {
  const own = sandbox(launcher);

  expect(() => requirePluggable(own, { ...own, volumes }, 'data')).not.toThrow();
});

it('refuses a block device that the cgroup of the launcher keeps from the guest, and says what to do', () => {
  const own = sandbox({ hasDeviceRules: true });

  expect(() => requirePluggable(own, { ...own, volumes: { data: DISK } }, 'data')).toThrow(
    'the volume data is a block device of another pod, and with cgroups v2 a kubelet lets a guest that runs open only those of its own; use a claim with volumeMode: Filesystem, or name the claim without hotpluggable and restart the machine',
  );
});

it('says what stands against a volume that cannot be reached', () => {
  const own = sandbox({});

  expect(() =>
    requirePluggable(own, { ...own, problems: { data: 'held by the pod a/hp: mount /srv' } }, 'data'),
  ).toThrow('the volume data: held by the pod a/hp: mount /srv');
});

function sandbox(change: Partial<PodSandbox>): PodSandbox {
  return {
    podUid: 'p',
    namespace: 'a',
    name: 'l',
    launcher: undefined,
    guestCgroup: undefined,
    volumes: {},
    ...change,
  };
}
