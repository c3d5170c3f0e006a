import { expect, it } from 'vitest';

import { guest, instance } from '../fixtures/objects.ts';
import { buildLauncherPod } from './build-launcher-pod.ts';

const driver = {
  name: 'qemu-kvm',
  device: 'kvm',
  overheadBytes: 1024n ** 2n,
  runsPrivileged: false,
  emulatesMachine: true,
};
const notReady = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
const unreachable = { ...notReady, key: 'node.kubernetes.io/unreachable' };
const evictedFromUnreachable = { ...unreachable, tolerationSeconds: 60 };
const disk = { key: 'disk', operator: 'Exists' };

it.each([
  ['no tolerations', undefined, [notReady, unreachable]],
  ['tolerations of other taints', [disk], [disk, notReady, unreachable]],
  ['a time of its own for one of them', [evictedFromUnreachable], [evictedFromUnreachable, notReady]],
  [
    'one for another effect of theirs',
    [{ ...notReady, effect: 'NoSchedule' }],
    [{ ...notReady, effect: 'NoSchedule' }, notReady, unreachable],
  ],
  [
    'one for all effects of theirs',
    [{ key: notReady.key, operator: 'Exists' }],
    [{ key: notReady.key, operator: 'Exists' }, unreachable],
  ],
  [
    'a time of its own for all taints',
    [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
    'as they are',
  ],
])('stays on a node that is out of touch, with %s of the instance', (_what, own, expected) => {
  const vmi = instance('Pending', {}, {}, guest(own === undefined ? {} : { tolerations: own }));

  const { tolerations } = buildLauncherPod(vmi, { image: 'registry/launcher:1', driver }).spec;

  expect(tolerations).toEqual(expected === 'as they are' ? own : expected);
});
