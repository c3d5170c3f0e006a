import { expect, it } from 'vitest';

import { heldByPods } from './held-by-pods.ts';

const MOUNTS = [
  '31 30 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
  '32 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct',
  '33 30 0:29 / /sys/fs/cgroup/hugetlb rw - cgroup cgroup rw,hugetlb',
  '34 30 0:30 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd',
].join('\n');

it.each([
  ['libvirt moved it out', '2:cpu,cpuacct:/machine/qemu-1-web.libvirt-qemu', []],
  ['nobody moved it out', '3:hugetlb:/kubepods/burstable/podab/cd', ['/sys/fs/cgroup/hugetlb']],
  [
    'it has but a name',
    '9:name=systemd:/kubepods.slice/kubepods-podab.slice/crio-cd.scope',
    ['/sys/fs/cgroup/systemd'],
  ],
  ['two controllers are mounted at one place', '2:cpu,cpuacct:/all/kubepods/podab/cd', ['/sys/fs/cgroup/cpu,cpuacct']],
  ['it is not mounted', '5:rdma:/kubepods/podab/cd', []],
  ['the process was started by the system', '9:name=systemd:/system.slice/libvirtd.service', []],
  ['a name only looks like it', '9:name=systemd:/mykubepods/podab', []],
  ['it is the second version', '0::/kubepods/podab/cd', []],
])('tells where a process is in a pod when %s', (_, line, mountPoints) => {
  expect(heldByPods(`${line}\n1:pids:/\n`, MOUNTS)).toEqual(mountPoints);
});
