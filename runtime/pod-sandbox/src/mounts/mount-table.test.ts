import { array, assert, property, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { mountAt, parseMountTable, pathsOf } from './mount-table.ts';

const NODE = parseMountTable(
  [
    '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
    '95 27 0:52 / /var/lib/kubelet/pods/u1/volumes/kubernetes.io~secret/keys rw - tmpfs tmpfs rw',
    '96 27 8:16 / /var/lib/kubelet/plugins/kubernetes.io/csi/x/globalmount rw - ext4 /dev/sdb rw',
    '97 27 8:16 / /var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pv1/mount rw - ext4 /dev/sdb rw',
    '98 27 0:61 / /run/containerd/image-volumes/s1/i1 rw - overlay overlay rw',
    '99 27 254:0 /srv/my\\040disks /mnt/disks rw - ext4 /dev/vda rw',
  ].join('\n'),
);

describe('pathsOf', () => {
  it.each([
    ['254:0', '/var/lib/kubelet/pods/u1/volumes/d', ['/var/lib/kubelet/pods/u1/volumes/d']],
    ['0:52', '/', ['/var/lib/kubelet/pods/u1/volumes/kubernetes.io~secret/keys']],
    ['0:61', '/disk', ['/run/containerd/image-volumes/s1/i1/disk']],
    ['254:0', '/srv/my disks/a', ['/mnt/disks/a', '/srv/my disks/a']],
    ['254:0', '/srv/my disks', ['/mnt/disks', '/srv/my disks']],
    ['254:0', '/srv/my disks2', ['/srv/my disks2']],
    ['7:7', '/', []],
  ])('finds %s %s', (device, root, paths) => {
    expect(pathsOf(NODE, { device, root })).toEqual(paths);
  });

  it('finds every mount of one file system', () => {
    expect(pathsOf(NODE, { device: '8:16', root: '/' })).toHaveLength(2);
  });

  it('never leaves the mount that it found something below', () => {
    const name = stringMatching(/^[a-z.]{1,6}$/).filter((text) => text !== '.' && text !== '..');
    const path = array(name, { minLength: 1, maxLength: 5 }).map((names) => `/${names.join('/')}`);
    assert(
      property(path, path, path, (root, mountPoint, wanted) => {
        const found = pathsOf([{ device: '1:1', root, mountPoint }], { device: '1:1', root: wanted });
        expect(found.filter((each) => each !== mountPoint && !each.startsWith(`${mountPoint}/`))).toEqual([]);
      }),
    );
  });
});

it('takes what was mounted last', () => {
  const table = parseMountTable(
    '1 0 0:1 /a /x rw - tmpfs a rw\n2 1 0:2 /b /x ro,nosuid shared:3 master:1 - tmpfs b rw\n',
  );

  expect(mountAt(table, '/x')).toEqual({
    device: '0:2',
    root: '/b',
    mountPoint: '/x',
    type: 'tmpfs',
    flags: ['ro', 'nosuid'],
    isShared: true,
    options: ['rw'],
  });
  expect(mountAt(table, '/y')).toBeUndefined();
});
