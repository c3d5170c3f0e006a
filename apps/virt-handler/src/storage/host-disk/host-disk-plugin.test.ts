import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, truncate } from 'node:fs/promises';

import type { Volume } from '@smalt/vm-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createInstanceVolumes } from '../create-instance-volumes.ts';
import { StorageBed } from '../fixtures/storage-bed.ts';

const MIB = 1 << 20;
let bed: StorageBed;

beforeEach(async () => {
  bed = await StorageBed.open();
});

afterEach(() => bed[Symbol.asyncDispose]());

describe('a host disk', () => {
  it('is the file of the node, raw, and stays when the instance goes', async () => {
    const path = await bed.write('disks/a.img', 'content');
    const request = { volumes: [hostDisk('disks/a.img')] };

    const [volume] = await bed.prepare(request);
    await bed.instances.release(bed.request(request), AbortSignal.timeout(1000));

    expect(volume).toMatchObject({ format: 'raw', source: { kind: 'file', path } });
    expect(await readFile(path, 'utf8')).toBe('content');
  });

  it('is made when it may be, once, with its directory', async () => {
    const volume = hostDisk('disks/new/a.img', { type: 'DiskOrCreate', capacity: '8Mi' });

    const first = await bed.prepareOne({ volume });
    await truncate(first.source.path, 9 * MIB);
    await bed.prepareOne({ volume });

    expect((await stat(bed.at('disks/new/a.img'))).size).toBe(9 * MIB);
    expect(await readdir(bed.at('disks/new'))).toEqual(['a.img']);
  });

  it('may be a link to a file beside it', async () => {
    await bed.write('disks/real.img', 'x');
    await symlink('real.img', bed.at('disks/a.img'));

    expect((await bed.prepareOne({ volume: hostDisk('disks/a.img') })).source.path).toBe(bed.at('disks/a.img'));
  });

  it.each([
    ['lies elsewhere', 'elsewhere/a.img'],
    ['lies beside its directory', 'disks-of-others/a.img'],
    ['lies behind a link to elsewhere', 'disks/door/a.img'],
  ])('that %s is refused, by the field and the setting, and is not made', async (_, path) => {
    await bed.write('elsewhere/secret', 'x');
    await mkdir(bed.at('disks'));
    await symlink('../elsewhere', bed.at('disks/door'));

    const preparing = bed.prepareOne({ volume: hostDisk(path, { type: 'DiskOrCreate', capacity: '1Mi' }) });

    await expect(preparing).rejects.toMatchObject({
      code: 'bad-volume',
      field: 'spec.volumes[0].hostDisk.path',
      message: expect.stringMatching(/ is below none of .*disks; .* hostDisk\.directories of its virt-handler$/),
    });
    expect(await readdir(bed.at('elsewhere'))).toEqual(['secret']);
  });

  it.each(['disks', 'disks/state', 'disks/state/other/volumes/root.qcow2'])(
    'at %s, the state of all, is refused',
    async (path) => {
      await bed.write('disks/state/other/volumes/root.qcow2', 'x');

      await expect(bed.prepareOne({ volume: hostDisk(path) })).rejects.toMatchObject({
        code: 'bad-volume',
        message: expect.stringContaining("belongs to Smalt's own state"),
      });
    },
  );

  it('is nowhere on a node that gives no directory', async () => {
    const path = await bed.write('disks/a.img', 'x');
    const request = bed.request({ volumes: [hostDisk('disks/a.img')] });

    await expect(createInstanceVolumes().prepare(request, AbortSignal.timeout(1000))).rejects.toThrow(
      `spec.volumes[0].hostDisk.path: ${path} is not open to guests, as nothing of this node is; ask`,
    );
  });

  it('may lie in a directory that is a link', async () => {
    await bed.write('elsewhere/a.img', 'x');
    await symlink('elsewhere', bed.at('disks'));

    expect((await bed.prepareOne({ volume: hostDisk('disks/a.img') })).source.path).toBe(bed.at('disks/a.img'));
  });

  it.each([
    ['is a link out of its directory', async () => symlink('/etc/shadow', bed.at('disks/a.img'))],
    ['is a link to nothing', async () => symlink('missing', bed.at('disks/a.img'))],
    ['is a directory', async () => mkdir(bed.at('disks/a.img'))],
    ['is a device', async () => execFileSync('mknod', [bed.at('disks/a.img'), 'c', '1', '5'])],
    ['is a pipe', async () => execFileSync('mkfifo', [bed.at('disks/a.img')])],
  ])('that %s is refused', async (_, make) => {
    await mkdir(bed.at('disks'));
    await make();

    const preparing = bed.prepareOne({ volume: hostDisk('disks/a.img', { type: 'DiskOrCreate', capacity: '1Mi' }) });

    await expect(preparing).rejects.toMatchObject({ code: 'bad-volume', field: 'spec.volumes[0].hostDisk.path' });
    expect(await readdir(bed.at('disks'))).toEqual(['a.img']);
  });

  it.each(['relative.img', '/a/../etc/shadow', '/a//b', '/a/', '', '/a\0b'])('at %j is refused', async (path) => {
    const volume = { name: 'data', hostDisk: { path, type: 'DiskOrCreate', capacity: '1Mi' } };

    await expect(bed.prepareOne({ volume })).rejects.toMatchObject({ code: 'bad-volume' });
  });

  it.each([
    ['must be there and is not', {}, false, 'volume-not-ready'],
    ['has no size', { type: 'DiskOrCreate' }, false, 'bad-volume'],
    ['has a size that is none', { type: 'DiskOrCreate', capacity: '-1' }, false, 'bad-volume'],
    ['is larger than the room for it', { type: 'DiskOrCreate', capacity: '900Ti' }, false, 'disk-full'],
    ['comes with a guest from another node', { type: 'DiskOrCreate', capacity: '1Mi' }, true, 'volume-not-ready'],
  ])('that %s is not made', async (_, parts, isMigrationTarget, code) => {
    await mkdir(bed.at('disks'));

    const preparing = bed.prepareOne({ volume: hostDisk('disks/a.img', parts), isMigrationTarget });

    await expect(preparing).rejects.toMatchObject({ code });
    expect(await readdir(bed.at('disks'))).toEqual([]);
  });

  it('is a directory for a container', async () => {
    await mkdir(bed.at('disks/root'), { recursive: true });

    const volume = await bed.prepareOne({ volume: hostDisk('disks/root'), hypervisor: 'lxc' });

    expect(volume.source).toEqual({ kind: 'directory', path: bed.at('disks/root') });
  });
});

function hostDisk(path: string, parts: { readonly type?: string; readonly capacity?: string } = {}): Volume {
  return { name: 'data', hostDisk: { path: bed.at(path), type: 'Disk', ...parts } };
}
