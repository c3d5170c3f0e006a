import { execFileSync } from 'node:child_process';
import { link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';

import { buildQcow2 } from '@smalt/disk-image';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { StorageBed } from '../fixtures/storage-bed.ts';

const MIB = 1 << 20;
const POD = { root: 'pod/root' };
let bed: StorageBed;

beforeEach(async () => {
  bed = await StorageBed.open();
});

afterEach(() => bed[Symbol.asyncDispose]());

describe('a container disk', () => {
  it('is an overlay of its own on the image, at paths that every node has', async () => {
    const image = await bed.write('pod/root/disk/disk.img', Buffer.alloc(3 * MIB, 'x'));

    const volume = await bed.prepareOne({ volume: containerDisk(), pod: POD });

    expect(volume).toMatchObject({
      name: 'root',
      format: 'qcow2',
      source: { kind: 'file', path: bed.at('instance/volumes/root/disk.qcow2') },
      backing: { format: 'raw', source: { kind: 'file', path: bed.at('instance/volumes/root/base.raw') } },
    });
    expect((await stat(bed.at('instance/volumes/root/base.raw'))).ino).toBe((await stat(image)).ino);
    expect(imageInfo(volume.source.path)).toMatchObject({
      'virtual-size': 3 * MIB,
      'full-backing-filename': bed.at('instance/volumes/root/base.raw'),
      'backing-filename-format': 'raw',
    });
  });

  it('keeps what the guest wrote when it is prepared again', async () => {
    await bed.write('pod/root/disk/disk.img', Buffer.alloc(MIB));
    const volume = await bed.prepareOne({ volume: containerDisk(), pod: POD });
    execFileSync('qemu-io', ['-f', 'qcow2', '-c', 'write -P 0x61 0 4k', volume.source.path]);
    const written = await readFile(volume.source.path);

    const again = await bed.prepareOne({ volume: containerDisk(), pod: POD });

    expect(again).toEqual(volume);
    expect(await readFile(volume.source.path)).toEqual(written);
  });

  it('has the same size and base on the node that a guest is migrated to', async () => {
    await using target = await StorageBed.open();
    for (const each of [bed, target]) {
      await each.write('pod/root/disk/disk.qcow2', buildQcow2({ virtualSizeBytes: 7 * MIB }));
    }

    const source = await bed.prepareOne({ volume: containerDisk(), pod: POD });
    const arrival = await target.prepareOne({ volume: containerDisk(), pod: POD, isMigrationTarget: true });

    const stable = (text: string): string => text.replaceAll(bed.path, '').replaceAll(target.path, '');
    expect(stable(JSON.stringify(arrival))).toBe(stable(JSON.stringify(source)));
    expect(imageInfo(arrival.source.path)).toMatchObject({ 'virtual-size': 7 * MIB });
  });

  it('takes the file that path names', async () => {
    await bed.write('pod/root/images/a.img', Buffer.alloc(MIB));
    await bed.write('pod/root/images/b.img', Buffer.alloc(2 * MIB));

    const volume = await bed.prepareOne({ volume: containerDisk('/images/b.img'), pod: POD });

    expect(imageInfo(volume.source.path)).toMatchObject({ 'virtual-size': 2 * MIB });
  });

  it('is not copied where that leaves no room for the guests that run', async () => {
    await bed.write('pod/root/disk/disk.img', Buffer.alloc(MIB, 'x'));
    await mkdir(bed.at('instance'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', bed.at('instance')]);
    try {
      await expect(bed.prepareOne({ volume: containerDisk(), pod: POD, hypervisor: 'lxc' })).rejects.toMatchObject({
        code: 'disk-full',
        field: 'spec.volumes[0].containerDisk.image',
        message: expect.stringContaining('has no room for 1048576 bytes more; make room on the node'),
      });
    } finally {
      execFileSync('umount', [bed.at('instance')]);
    }
  });

  it('is a copy for a container, which cannot mount an overlay', async () => {
    await bed.write('pod/root/disk/disk.img', Buffer.alloc(MIB, 'x'));

    const volume = await bed.prepareOne({ volume: containerDisk(), pod: POD, hypervisor: 'lxc' });

    expect(volume).toMatchObject({ format: 'raw', source: { path: bed.at('instance/volumes/root/disk.img') } });
    await writeFile(volume.source.path, 'changed');
    expect(await readFile(bed.at('pod/root/disk/disk.img'), 'latin1')).toBe('x'.repeat(MIB));
  });

  it.each([
    ['leads upwards', '../../secret.img', 'leads out of the image'],
    ['is a link to outside', '/link', 'leads out of the image'],
    ['goes through a link to outside', '/up/secret.img', 'leads out of the image'],
    ['names nothing', '/none', 'holds no file'],
    ['names a directory', '/disk', 'names no file'],
  ])('is refused when its path %s', async (_, path, words) => {
    await bed.write('secret.img', 'the secret of another');
    await mkdir(bed.at('pod/root/disk'), { recursive: true });
    await symlink(bed.at('secret.img'), bed.at('pod/root/link'));
    await symlink('../..', bed.at('pod/root/up'));

    const preparing = bed.prepareOne({ volume: containerDisk(path), pod: POD });

    await expect(preparing).rejects.toMatchObject({
      code: 'bad-volume',
      field: 'spec.volumes[0].containerDisk.path',
      message: expect.stringContaining(words),
    });
    expect(await readdir(bed.path)).not.toContain('instance');
  });

  it.each([
    ['holds no disk', []],
    ['holds two', ['a.img', 'b.img']],
  ])('is refused when its image %s', async (_, names) => {
    await mkdir(bed.at('pod/root'), { recursive: true });
    for (const name of names) await bed.write(`pod/root/disk/${name}`, 'x');

    await expect(bed.prepareOne({ volume: containerDisk(), pod: POD })).rejects.toMatchObject({ code: 'bad-volume' });
  });

  it.each([
    ['a link in /disk', async () => symlink('/etc/shadow', bed.at('pod/root/disk/disk.img'))],
    ['a qcow2 that reads a file of the node', async () => bed.write('pod/root/disk/disk.qcow2', hostileQcow2())],
    ['a pipe', async () => execFileSync('mkfifo', [bed.at('pod/root/disk/disk.img')])],
  ])('is refused when its image is %s', async (_, make) => {
    await mkdir(bed.at('pod/root/disk'), { recursive: true });
    await make();

    await expect(bed.prepareOne({ volume: containerDisk(), pod: POD })).rejects.toMatchObject({ code: 'bad-volume' });
  });

  it('waits for a pod that has no such volume yet', async () => {
    await expect(bed.prepareOne({ volume: containerDisk() })).rejects.toMatchObject({
      code: 'volume-not-ready',
      message: expect.stringContaining('shop/virt-launcher-small'),
    });
  });

  it('goes on where a killed attempt has stopped', async () => {
    const image = await bed.write('pod/root/disk/disk.img', Buffer.alloc(MIB));
    await mkdir(bed.at('instance/volumes/root'), { recursive: true });
    await link(image, bed.at('instance/volumes/root/base.raw'));
    await writeFile(bed.at('instance/volumes/root/disk.qcow2.half'), 'half');

    const volume = await bed.prepareOne({ volume: containerDisk(), pod: POD });

    expect(imageInfo(volume.source.path)).toMatchObject({ 'virtual-size': MIB });
  });

  it('says so on a disk that is full, and leaves no half disk', async () => {
    await bed.write('pod/root/disk/disk.img', Buffer.alloc(MIB));
    await mkdir(bed.at('instance'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'small', bed.at('instance')]);
    try {
      const preparing = bed.prepareOne({ volume: containerDisk(), pod: POD });

      await expect(preparing).rejects.toMatchObject({
        code: 'disk-full',
        message: expect.stringContaining(bed.at('instance/volumes/root')),
      });
      expect(await readdir(bed.at('instance/volumes/root'))).toEqual(['base.raw']);
    } finally {
      execFileSync('umount', [bed.at('instance')]);
    }
  });
});

function containerDisk(path?: string): { name: string; containerDisk: { image: string; path?: string } } {
  return { name: 'root', containerDisk: { image: 'demo', ...(path === undefined ? {} : { path }) } };
}

function hostileQcow2(): Uint8Array {
  return buildQcow2({ virtualSizeBytes: MIB, backing: { path: '/etc/shadow', format: 'raw' } });
}

function imageInfo(path: string): unknown {
  return JSON.parse(execFileSync('qemu-img', ['info', '--output=json', path], { encoding: 'utf8' }));
}
