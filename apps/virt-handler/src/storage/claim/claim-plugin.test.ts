import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';

import type { VirtualMachineInstance, Volume } from '@smalt/vm-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { StorageBed } from '../fixtures/storage-bed.ts';
import { planClaimDisk } from './plan-claim-disk.ts';

const MIB = 1 << 20;
const GIB = 1 << 30;
const POD = { data: 'pod/data' };
let bed: StorageBed;

beforeEach(async () => {
  bed = await StorageBed.open();
  await mkdir(bed.at('pod/data'), { recursive: true });
});

afterEach(() => bed[Symbol.asyncDispose]());

describe('planClaimDisk', () => {
  it.each([
    [{ capacityBytes: undefined, overhead: undefined, freeBytes: GIB }, { kind: 'unknown-size' }],
    [
      { capacityBytes: GIB, overhead: undefined, freeBytes: 9 * GIB },
      { kind: 'create', sizeBytes: 967 * MIB },
    ],
    [
      { capacityBytes: GIB, overhead: '0', freeBytes: 9 * GIB },
      { kind: 'create', sizeBytes: GIB },
    ],
    [
      { capacityBytes: GIB, overhead: '0.5', freeBytes: 9 * GIB },
      { kind: 'create', sizeBytes: 512 * MIB },
    ],
    [
      { capacityBytes: GIB, overhead: 'much', freeBytes: 9 * GIB },
      { kind: 'create', sizeBytes: 967 * MIB },
    ],
    [
      { capacityBytes: GIB, overhead: '0', freeBytes: 950 * MIB },
      { kind: 'create', sizeBytes: 950 * MIB },
    ],
    [
      { capacityBytes: 1000 * MIB, overhead: '0', freeBytes: 899 * MIB },
      { kind: 'too-little-room', neededBytes: 900 * MIB },
    ],
    [
      { capacityBytes: 1000, overhead: '0', freeBytes: GIB },
      { kind: 'too-little-room', neededBytes: 900 },
    ],
  ])('of %j makes %j', (facts, plan) => {
    expect(planClaimDisk(facts)).toEqual(plan);
  });
});

describe('a claim', () => {
  it('gets a disk of its size when it has none, and keeps it', async () => {
    const request = { volume: claim(), pod: POD, status: sized('64Mi') };

    const volume = await bed.prepareOne(request);
    await writeFile(bed.at('pod/data/disk.img'), 'written', { flag: 'r+' });
    const again = await bed.prepareOne(request);

    expect(volume).toMatchObject({
      format: 'raw',
      source: { kind: 'file', path: bed.at('instance/volumes/data/disk.img') },
    });
    expect(again.source).toEqual(volume.source);
    expect(await realpath(volume.source.path)).toBe(await realpath(bed.at('pod/data/disk.img')));
    expect((await stat(volume.source.path)).size).toBe(60 * MIB);
    expect((await readFile(volume.source.path)).toString('latin1', 0, 7)).toBe('written');
  });

  it('is raw even when it looks like something else: the guest could have written that', async () => {
    execFileSync('qemu-img', [
      'create',
      '-q',
      '-f',
      'qcow2',
      '-u',
      '-b',
      '/etc/shadow',
      '-F',
      'raw',
      bed.at('pod/data/disk.img'),
      '1M',
    ]);

    const volume = await bed.prepareOne({ volume: claim(), pod: POD });

    expect(volume).toMatchObject({ format: 'raw' });
    expect(volume.backing).toBeUndefined();
  });

  it('whose blocks are all there is told apart', async () => {
    await writeFile(bed.at('pod/data/disk.img'), Buffer.alloc(MIB, 1));

    expect(await bed.prepareOne({ volume: claim(), pod: POD })).toMatchObject({ isPreallocated: true });
  });

  it('of a DataVolume is the same', async () => {
    await writeFile(bed.at('pod/data/disk.img'), 'x');

    const volume = await bed.prepareOne({ volume: { name: 'data', dataVolume: { name: 'dv' } }, pod: POD });

    expect(volume.source.path).toBe(bed.at('instance/volumes/data/disk.img'));
  });

  it('that is a block device shows at a path that every node has', async () => {
    await using device = await loopDevice(bed, 4 * MIB);

    const volume = await bed.prepareOne({ volume: claim(), blocks: { data: device.name } });

    expect(volume).toMatchObject({
      format: 'raw',
      source: { kind: 'block', path: bed.at('instance/volumes/data/disk') },
    });
    expect(await realpath(volume.source.path)).toBe(device.path);
  });

  it.each([
    ['is only read', { volume: claim({ readOnly: true }) }, 'volume-not-ready'],
    ['is the target of a migration', { isMigrationTarget: true }, 'volume-not-ready'],
    ['has no known size', { status: undefined }, 'volume-not-ready'],
    ['has a size that is none', { status: sized('huge') }, 'bad-volume'],
    ['is larger than the room for it', { status: sized('900Ti') }, 'disk-full'],
  ])('without a disk that %s gets none', async (_, parts, code) => {
    const preparing = bed.prepareOne({ volume: claim(), pod: POD, status: sized('64Mi'), ...parts });

    await expect(preparing).rejects.toMatchObject({ code });
    expect(await readdir(bed.at('pod/data'))).toEqual([]);
  });

  it.each([
    ['a link to another file of the node', async () => symlink('/etc/shadow', bed.at('pod/data/disk.img'))],
    ['a link to nothing', async () => symlink(bed.at('new'), bed.at('pod/data/disk.img'))],
    ['a directory', async () => mkdir(bed.at('pod/data/disk.img'))],
    ['a pipe', async () => execFileSync('mkfifo', [bed.at('pod/data/disk.img')])],
  ])('is refused when its disk is %s', async (_, make) => {
    await make();

    const preparing = bed.prepareOne({ volume: claim(), pod: POD, status: sized('64Mi') });

    await expect(preparing).rejects.toMatchObject({
      code: 'bad-volume',
      field: 'spec.volumes[0].persistentVolumeClaim.claimName',
    });
    expect(await readdir(bed.path)).toEqual(['pod']);
  });

  it('is a directory for a container, and where it is to be shared', async () => {
    const filesystems = [{ name: 'data', virtiofs: {} }];
    const shared = { domain: { devices: { filesystems } } };

    const root = await bed.prepareOne({ volume: claim(), pod: POD, hypervisor: 'lxc' });
    const share = await bed.prepareOne({ volume: claim(), pod: POD, instance: shared });

    expect([root.source.kind, share.source.kind]).toEqual(['directory', 'directory']);
    expect(await realpath(share.source.path)).toBe(await realpath(bed.at('pod/data')));
    expect(await readdir(bed.at('pod/data'))).toEqual([]);
  });
});

describe('an ephemeral claim', () => {
  it('is read under an overlay, and never written', async () => {
    await writeFile(bed.at('pod/data/disk.img'), Buffer.alloc(MIB, 'b'));

    const volume = await bed.prepareOne({ volume: ephemeral(), pod: POD });
    execFileSync('qemu-io', ['-f', 'qcow2', '-c', 'read -P 0x62 0 4k', '-c', 'write -P 0x61 0 4k', volume.source.path]);

    expect(volume).toMatchObject({ format: 'qcow2', backing: { format: 'raw', source: { kind: 'file' } } });
    expect(await readFile(bed.at('pod/data/disk.img'))).toEqual(Buffer.alloc(MIB, 'b'));
  });

  it('has the size of its block device', async () => {
    await using device = await loopDevice(bed, 4 * MIB);

    const volume = await bed.prepareOne({ volume: ephemeral(), blocks: { data: device.name } });

    const info: unknown = JSON.parse(
      execFileSync('qemu-img', ['info', '-U', '--output=json', volume.source.path], { encoding: 'utf8' }),
    );
    expect(info).toMatchObject({ 'virtual-size': 4 * MIB });
    expect(volume.backing?.source.kind).toBe('block');
  });

  it('needs a disk to read', async () => {
    await expect(bed.prepareOne({ volume: ephemeral(), pod: POD })).rejects.toMatchObject({ code: 'volume-not-ready' });
  });
});

function claim(parts: { readonly readOnly?: boolean } = {}): Volume {
  return { name: 'data', persistentVolumeClaim: { claimName: 'claim', ...parts } };
}

function ephemeral(): Volume {
  return { name: 'data', ephemeral: { persistentVolumeClaim: { claimName: 'claim' } } };
}

function sized(storage: string): NonNullable<VirtualMachineInstance['status']> {
  return { volumeStatus: [{ name: 'data', target: '', persistentVolumeClaimInfo: { capacity: { storage } } }] };
}

/** A block device; its name is the path from the directory of the bed. */
async function loopDevice(
  of: StorageBed,
  bytes: number,
): Promise<{ readonly path: string; readonly name: string } & AsyncDisposable> {
  const file = await of.write('loop', Buffer.alloc(bytes));
  const path = execFileSync('losetup', ['--find', '--show', file], { encoding: 'utf8' }).trim();
  await symlink(path, of.at('block'));
  return {
    path,
    name: 'block',
    [Symbol.asyncDispose]: async () => void execFileSync('losetup', ['--detach', path]),
  };
}
