import { describe, expect, it } from 'vitest';

import { findOwnCgroup } from './own-guest-cgroup.ts';

const POD = '/kubepods/burstable/pod4f7c/c5b2';

describe('findOwnCgroup', () => {
  it('finds the root of the second version, where a container has a namespace of its own', () => {
    const mounts = '700 690 0:26 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw';

    expect(findOwnCgroup(mounts, '0::/\n')).toEqual({ version: 2, directory: '/sys/fs/cgroup/' });
  });

  it('finds its own in the whole of the second version', () => {
    const mounts = '700 690 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw';

    expect(findOwnCgroup(mounts, `0::${POD}\n`)).toEqual({ version: 2, directory: `/sys/fs/cgroup${POD}` });
  });

  it('finds what it is shown of the first version, whatever it has of the second', () => {
    const mounts = [
      `701 690 0:32 ${POD} /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory`,
      `702 690 0:36 ${POD} /sys/fs/cgroup/pids ro - cgroup cgroup rw,pids`,
      '703 690 0:38 / /sys/fs/cgroup/unified ro - cgroup2 cgroup2 rw',
    ].join('\n');

    const own = findOwnCgroup(mounts, `9:name=systemd:/\n8:pids:${POD}\n4:memory:${POD}\n0::/\n`);

    expect(own).toEqual({ version: 1, directory: '/sys/fs/cgroup/pids' });
  });

  it('finds one that two controllers share', () => {
    const mounts = `702 690 0:36 ${POD} /sys/fs/cgroup/cpu,pids ro - cgroup cgroup rw,cpu,pids`;

    const own = findOwnCgroup(mounts, `8:cpu,pids:${POD}/child\n`);

    expect(own).toEqual({ version: 1, directory: '/sys/fs/cgroup/cpu,pids/child' });
  });

  it.each([
    ['nothing is mounted', '', `0::${POD}\n`],
    ['another one is shown', '702 690 0:36 /other /sys/fs/cgroup/pids ro - cgroup cgroup rw,pids', `8:pids:${POD}\n`],
  ])('finds nothing where %s', (_, mounts, membership) => {
    expect(findOwnCgroup(mounts, membership)).toBeUndefined();
  });
});
