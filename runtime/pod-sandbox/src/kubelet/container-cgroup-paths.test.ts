import { describe, expect, it } from 'vitest';

import { containerCgroupPaths, isPodUid, parseContainerId } from './container-cgroup-paths.ts';

const POD_UID = '4f7c1d2e-0000-4000-8000-00000000000a';
const ID = 'c5b2'.repeat(16);

describe('containerCgroupPaths', () => {
  it.each([
    ['a directory of containerd', 'BestEffort', `/kubepods/besteffort/pod${POD_UID}/${ID}`],
    ['a directory of CRI-O', 'Burstable', `/kubepods/burstable/pod${POD_UID}/crio-${ID}`],
    ['a directory of a guaranteed pod', 'Guaranteed', `/kubepods/pod${POD_UID}/${ID}`],
    [
      'a scope of containerd',
      'Burstable',
      `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${POD_UID.replaceAll('-', '_')}.slice/cri-containerd-${ID}.scope`,
    ],
    [
      'a scope of CRI-O of a guaranteed pod',
      'Guaranteed',
      `/kubepods.slice/kubepods-pod${POD_UID.replaceAll('-', '_')}.slice/crio-${ID}.scope`,
    ],
    [
      'a scope of CRI-O with crun',
      'BestEffort',
      `/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod${POD_UID.replaceAll('-', '_')}.slice/crio-${ID}.scope/container`,
    ],
  ] as const)('has %s', (_, qosClass, path) => {
    expect(containerCgroupPaths({ podUid: POD_UID, qosClass, containerId: ID })).toContain(path);
  });

  it('looks for what crun makes in a scope before the scope itself', () => {
    const paths = containerCgroupPaths({ podUid: POD_UID, qosClass: 'Burstable', containerId: ID });

    const scope = paths.findIndex((path) => path.endsWith(`crio-${ID}.scope`));

    expect(paths[scope - 1]).toBe(`${paths[scope]}/container`);
  });
});

it.each([
  [`containerd://${ID}`, ID],
  [`cri-o://${ID}`, ID],
  ['containerd://../../..', undefined],
  [`containerd://${ID}/..`, undefined],
  [ID, undefined],
  ['', undefined],
  [undefined, undefined],
])('takes %s for the id %s', (text, id) => {
  expect(parseContainerId(text)).toBe(id);
});

it.each([
  [POD_UID, true],
  ['0123456789abcdef0123456789abcdef', true],
  ['../..', false],
  ['a/b', false],
  ['', false],
])('tells whether %s is the uid of a pod', (text, is) => {
  expect(isPodUid(text)).toBe(is);
});
