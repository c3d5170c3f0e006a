import { readdir, readFile, stat } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { removeVolumeFiles } from './files/remove-volume-files.ts';
import { StorageBed } from './fixtures/storage-bed.ts';

let bed: StorageBed;

beforeEach(async () => {
  bed = await StorageBed.open();
});

afterEach(() => bed[Symbol.asyncDispose]());

describe('createInstanceVolumes', () => {
  it('prepares the volumes in their order, in directories of their own that others can pass but not list', async () => {
    const volumes = [
      { name: 'b', emptyDisk: { capacity: '1Gi' } },
      { name: 'a', emptyDisk: { capacity: '2Gi' } },
    ];

    const prepared = await bed.prepare({ volumes });

    expect(prepared.map(({ name, source }) => [name, source.path])).toEqual([
      ['b', bed.at('instance/volumes/b/disk.qcow2')],
      ['a', bed.at('instance/volumes/a/disk.qcow2')],
    ]);
    expect((await stat(bed.at('instance/volumes/a'))).mode & 0o777).toBe(0o711);
    expect((await stat(bed.at('instance/volumes/a/disk.qcow2'))).mode & 0o777).toBe(0o600);
  });

  it('leaves a volume alone that is plugged in later', async () => {
    const volumes = [{ name: 'later', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } }];

    expect(await bed.prepare({ volumes })).toEqual([]);
  });

  it.each(['../other', 'a/b', '.', 'UPPER', '', 'x'.repeat(64)])('refuses the name %j', async (name) => {
    const preparing = bed.prepare({ volumes: [{ name, emptyDisk: { capacity: '1Gi' } }] });

    await expect(preparing).rejects.toMatchObject({ code: 'bad-volume', field: 'spec.volumes[0].name' });
    expect(await readdir(bed.path)).toEqual([]);
  });

  it.each(['../other', '../../../../../../../../proc', '.', ''])(
    'refuses the name %j also of a volume that is plugged in later',
    async (name) => {
      const volumes = [{ name, persistentVolumeClaim: { claimName: 'c', hotpluggable: true } }];

      await expect(bed.prepare({ volumes })).rejects.toMatchObject({
        code: 'bad-volume',
        field: 'spec.volumes[0].name',
      });
    },
  );

  it('says what it cannot provide, and what it can', async () => {
    const volumes = [{ name: 'dump', memoryDump: { claimName: 'c' } }];

    await expect(bed.prepare({ volumes })).rejects.toMatchObject({
      code: 'unsupported-volume',
      field: 'spec.volumes[0].memoryDump',
      message: expect.stringContaining('containerDisk'),
    });
  });

  it('stops when the caller gives up', async () => {
    const request = bed.request({ volumes: [{ name: 'a', emptyDisk: { capacity: '1Gi' } }] });

    await expect(bed.instances.prepare(request, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });

  it('releases volumes without touching files: they may be those of a guest that runs', async () => {
    const request = { volumes: [{ name: 'a', emptyDisk: { capacity: '1Gi' } }] };
    await bed.prepare(request);

    await bed.instances.release(bed.request(request), AbortSignal.timeout(1000));

    expect(await readdir(bed.at('instance/volumes/a'))).toEqual(['disk.qcow2']);
  });
});

describe('removeVolumeFiles', () => {
  it('removes the files of the volumes that are named, and of no others', async () => {
    const names = ['root', 'extra', 'data'];
    await bed.prepare({ volumes: names.map((name) => ({ name, emptyDisk: { capacity: '1Gi' } })) });

    await removeVolumeFiles(bed.at('instance'), ['extra', 'never-there']);

    expect((await readdir(bed.at('instance/volumes'))).toSorted()).toEqual(['data', 'root']);
    expect(await readdir(bed.at('instance/volumes/root'))).toEqual(['disk.qcow2']);
  });

  it('leaves the disk of a claim in the claim', async () => {
    const disk = await bed.write('claim/disk.img', 'content');
    const volumes = [{ name: 'extra', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } }];
    await bed.prepare({ volumes, pod: { extra: 'claim' } });

    await removeVolumeFiles(bed.at('instance'), ['extra']);

    expect(await readdir(bed.at('instance/volumes'))).toEqual([]);
    expect(await readFile(disk, 'utf8')).toBe('content');
  });

  it.each(['', '.', '..', '../..', 'root/..'])('removes nothing for the name %j', async (name) => {
    await bed.prepare({ volumes: [{ name: 'root', emptyDisk: { capacity: '1Gi' } }] });

    await removeVolumeFiles(bed.at('instance'), [name]);

    expect(await readdir(bed.at('instance/volumes/root'))).toEqual(['disk.qcow2']);
  });
});
