import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { openCgroups } from '../cgroup/cgroups.ts';
import { leavePods, placesOutsidePods } from './leave-pods.ts';

const SECOND = '31 30 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw';
const FIRST = [
  '31 30 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
  '32 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct',
  '34 30 0:30 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd',
].join('\n');
const SLICE = '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podab.slice/cri-containerd-cd.scope';

describe('where a process goes that leaves its pod', () => {
  it.each([
    ['with the second version', `0::${SLICE}`, SECOND, ['/sys/fs/cgroup/smalt/networks']],
    ['below another root', '0::/all/kubepods/podab/cd', SECOND, ['/sys/fs/cgroup/all/smalt/networks']],
    ['of a shared hierarchy', '2:cpu,cpuacct:/kubepods/podab/cd', FIRST, ['/sys/fs/cgroup/cpu,cpuacct']],
    ['of one that has but a name', `9:name=systemd:/all${SLICE}`, FIRST, ['/sys/fs/cgroup/systemd/all']],
    ['of one that is not mounted', '5:rdma:/kubepods/podab/cd', FIRST, []],
    ['that is in no pod', '0::/system.slice/smalt.service\n9:name=systemd:/mykubepods/podab', FIRST, []],
    ['whose pod is all that is shown', '0::/kubepods/podab/cd', SECOND.replace(' / ', ' /kubepods/podab/cd '), []],
    [
      'that is shown the whole above its own',
      '2:cpu:/kubepods/podab/cd',
      [
        '40 30 0:28 /kubepods/podab/cd /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu',
        '41 30 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu',
      ].join('\n'),
      ['/sys/fs/cgroup/cpu'],
    ],
  ])('%s', (_, cgroup, mountInfo, places) => {
    expect(placesOutsidePods(`${cgroup}\n`, mountInfo, 'smalt/networks')).toEqual(places);
  });
});

describe('a process that was started in a pod', () => {
  it('is no longer in its cgroup anywhere, and lives when all in there are killed', async () => {
    await using pod = await makePod();
    using sleeper = startSleeper();
    using other = startSleeper();
    for (const { pid } of [sleeper, other]) await pod.cgroups.moveInto(pod.path, pid);

    const places = await leavePods(sleeper.pid, 'networks');
    const again = await leavePods(sleeper.pid, 'networks');
    await pod.cgroups.kill(pod.path, AbortSignal.timeout(10_000));

    expect(places).toHaveLength(pod.cgroups.hierarchies.length);
    expect(again).toEqual([]);
    expect(await readFile(`/proc/${sleeper.pid}/cgroup`, 'utf8')).not.toContain('kubepods');
    expect(await other.ended).toEqual([null, 'SIGKILL']);
  });

  it('is told of when it has ended', async () => {
    using sleeper = startSleeper();
    process.kill(sleeper.pid, 'SIGKILL');
    await sleeper.ended;

    await expect(leavePods(sleeper.pid, 'networks')).rejects.toMatchObject({ code: 'process-gone' });
  });
});

function startSleeper() {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  return { pid: child.pid ?? 0, ended, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

/** The cgroup of a container, as a kubelet that stays below a root of its own has it made. */
async function makePod() {
  const root = `/smalt-leave-${process.pid}`;
  const path = `${root}/kubepods/podab/cd`;
  const cgroups = await openCgroups();
  await cgroups.make({ path, leaves: [], limits: {} });
  return {
    path,
    cgroups,
    [Symbol.asyncDispose]: async () => {
      await cgroups.kill(root, AbortSignal.timeout(10_000));
      await cgroups.remove(root);
    },
  };
}
