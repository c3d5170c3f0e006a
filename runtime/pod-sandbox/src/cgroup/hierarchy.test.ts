import { describe, expect, it } from 'vitest';

import { chooseHierarchies, unifiedMountPoint } from './hierarchy.ts';

const V2_ALONE = '30 25 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate';
const HYBRID = [
  '31 30 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
  '32 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct',
  '33 30 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory',
  '34 30 0:30 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd',
  '35 30 0:31 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids',
].join('\n');

describe('chooseHierarchies', () => {
  it('takes the second version alone where it has all controllers', () => {
    expect(chooseHierarchies(V2_ALONE, ['cpuset', 'cpu', 'io', 'memory', 'pids'])).toEqual([
      { version: 2, mountPoint: '/sys/fs/cgroup', controllers: ['cpuset', 'cpu', 'memory', 'pids'] },
    ]);
  });

  it('takes the second version first, and those of the first that limit what it does not', () => {
    expect(chooseHierarchies(HYBRID, ['memory'])).toEqual([
      { version: 2, mountPoint: '/sys/fs/cgroup/unified', controllers: ['memory'] },
      { version: 1, mountPoint: '/sys/fs/cgroup/cpu,cpuacct', controllers: ['cpu'] },
      { version: 1, mountPoint: '/sys/fs/cgroup/pids', controllers: ['pids'] },
    ]);
  });

  it('does with the first version alone', () => {
    const [, ...first] = HYBRID.split('\n');

    const versions = chooseHierarchies(first.join('\n'), []).map(({ version, controllers }) => [
      version,
      ...controllers,
    ]);

    expect(versions).toEqual([
      [1, 'cpu'],
      [1, 'memory'],
      [1, 'pids'],
    ]);
  });

  it('finds nothing where nothing is mounted', () => {
    expect(chooseHierarchies('22 1 8:1 / / rw - ext4 /dev/sda1 rw', [])).toEqual([]);
  });
});

it('reads mount points with blanks', () => {
  const line = '31 30 0:27 / /mnt/my\\040cgroups rw shared:1 - cgroup2 cgroup2 rw';

  expect(unifiedMountPoint(line)).toBe('/mnt/my cgroups');
});
