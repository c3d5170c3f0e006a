import type { PodSandbox } from '@smalt/pod-sandbox';
import type { VolumeStatus } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import { withAttachedVolumes } from './attached-volumes.ts';

const ROOT = { kind: 'directory', path: '/pods/launcher/root' } as const;
const DATA = { kind: 'block', path: '/pods/holder/data' } as const;

it.each<[string, readonly VolumeStatus[], PodSandbox, PodSandbox['volumes']]>([
  ['adds what a pod holds for it', [held('data', 'h')], holder({ data: DATA }), { data: DATA, root: ROOT }],
  ['adds nothing before a pod is named', [{ name: 'data', target: '' }], holder({ data: DATA }), { root: ROOT }],
  ['adds nothing of a pod that is not here', [held('data', 'x')], holder({ data: DATA }), { root: ROOT }],
  [
    'adds nothing of another namespace',
    [held('data', 'h')],
    { ...holder({ data: DATA }), namespace: 'b' },
    { root: ROOT },
  ],
  [
    'adds nothing of a claim that is wanted no more',
    [{ ...held('data', 'h'), persistentVolumeClaimInfo: { claimName: 'before' } }],
    holder({ data: DATA }),
    { root: ROOT },
  ],
  ['adds nothing for a volume that is not plugged in', [held('root', 'h')], holder({ root: DATA }), { root: ROOT }],
])('%s', async (_, volumeStatus, pod, volumes) => {
  const claim = { name: 'data', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } };
  const root = { name: 'root', persistentVolumeClaim: { claimName: 'r' } };
  const instance = { ...anInstance({}, { volumes: [root, claim] }), status: { volumeStatus } };
  const sandboxes = { find: async (podUid: string) => (podUid === pod.podUid ? pod : undefined) };
  const sandbox = { ...holder({ root: ROOT }), podUid: 'launcher' };

  const found = await withAttachedVolumes(sandboxes, { instance, sandbox }, AbortSignal.timeout(1_000));

  expect(found).toEqual({ ...sandbox, volumes });
});

it('tells why what a pod holds cannot be reached, and keeps what is told of the launcher pod', async () => {
  const claim = { name: 'data', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } };
  const instance = { ...anInstance({}, { volumes: [claim] }), status: { volumeStatus: [held('data', 'h')] } };
  const pod = { ...holder({}), problems: { data: 'mount /srv', other: 'none of ours' } };
  const sandbox = { ...holder({ root: ROOT }), podUid: 'launcher', problems: { disk: 'mount /run' } };

  const found = await withAttachedVolumes({ find: async () => pod }, { instance, sandbox }, AbortSignal.timeout(1_000));

  expect(found.problems).toEqual({ disk: 'mount /run', data: 'held by the pod a/hp: mount /srv' });
  expect(found.volumes).toEqual({ root: ROOT });
});

function held(name: string, attachPodUID: string): VolumeStatus {
  return { name, target: '', hotplugVolume: { attachPodName: 'hp', attachPodUID } };
}

function holder(volumes: PodSandbox['volumes']): PodSandbox {
  return { podUid: 'h', namespace: 'a', name: 'hp', launcher: undefined, guestCgroup: undefined, volumes };
}
