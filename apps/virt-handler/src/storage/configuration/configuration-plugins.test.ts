import { readdir, readFile, symlink } from 'node:fs/promises';

import { findHypervisor } from '@smalt/hypervisors';
import type { Volume } from '@smalt/vm-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readMedium } from '../fixtures/read-medium.ts';
import { StorageBed } from '../fixtures/storage-bed.ts';

let bed: StorageBed;

beforeEach(async () => {
  bed = await StorageBed.open();
});

afterEach(() => bed[Symbol.asyncDispose]());

describe('entries as files', () => {
  it.each([
    ['a ConfigMap', { name: 'files', configMap: { name: 'c' } }, 'cfgdata'],
    ['a ConfigMap with a label', { name: 'files', configMap: { name: 'c', volumeLabel: 'settings' } }, 'settings'],
    ['a Secret with a label', { name: 'files', secret: { secretName: 's', volumeLabel: 'secrets' } }, 'secrets'],
    ['a service account', { name: 'files', serviceAccount: { serviceAccountName: 'a' } }, 'cfgdata'],
  ])('of %s are on a medium with its label', async (_, volume: Volume, label) => {
    await bed.write('pod/files/..1/app.conf', 'a = 1');
    await bed.write('pod/files/token', 'abc');
    await symlink('..1', bed.at('pod/files/..data'));
    await symlink('..data/app.conf', bed.at('pod/files/app.conf'));

    const prepared = await bed.prepareOne({ volume, pod: { files: 'pod/files' } });

    expect((await readFile(prepared.source.path)).toString('latin1', 32_808, 32_840)).toBe(label.padEnd(32));
    expect(readMedium(prepared.source.path)).toEqual({ 'app.conf': 'a = 1', token: 'abc' });
  });

  it('that a FAT disk cannot hold are refused with the field', async () => {
    await bed.write('pod/files/a', '1');
    await bed.write('pod/files/A', '2');
    const hypervisor = { ...findHypervisor('qemu'), supportsIso: false };

    const preparing = bed.prepareOne({
      volume: { name: 'files', configMap: { name: 'c' } },
      hypervisor,
      pod: { files: 'pod/files' },
    });

    await expect(preparing).rejects.toMatchObject({
      code: 'bad-volume',
      field: 'spec.volumes[0].configMap.name',
      message: expect.stringContaining('case'),
    });
  });

  it('with a label that can be none are refused', async () => {
    await bed.write('pod/files/a', '1');

    const preparing = bed.prepareOne({
      volume: { name: 'files', configMap: { name: 'c', volumeLabel: 'x'.repeat(40) } },
      pod: { files: 'pod/files' },
    });

    await expect(preparing).rejects.toMatchObject({ code: 'bad-volume', message: expect.stringContaining('label') });
  });
});

describe('sysprep', () => {
  it('takes a ConfigMap with an answer file, whatever the case of its name', async () => {
    await bed.write('pod/files/Autounattend.xml', '<unattend/>');

    const volume = await bed.prepareOne({
      volume: { name: 'files', sysprep: { configMap: { name: 'c' } } },
      pod: { files: 'pod/files' },
    });

    expect((await readFile(volume.source.path)).toString('latin1', 32_808, 32_819)).toBe('unattendCfg');
  });

  it('refuses a Secret without one', async () => {
    await bed.write('pod/files/other.xml', '<unattend/>');

    const preparing = bed.prepareOne({
      volume: { name: 'files', sysprep: { secret: { name: 's' } } },
      pod: { files: 'pod/files' },
    });

    await expect(preparing).rejects.toMatchObject({ field: 'spec.volumes[0].sysprep.secret.name' });
  });
});

describe('the downward API', () => {
  it('shows fields of the instance', async () => {
    const paths = ['name', 'namespace', 'uid', 'labels', 'annotations', "labels['app']", "labels['none']"];
    const fields = paths.map((path, index) => ({ path: `d/${index}`, fieldRef: { fieldPath: `metadata.${path}` } }));

    const volume = await bed.prepareOne({ volume: { name: 'about', downwardAPI: { fields } } });

    expect(readMedium(volume.source.path)).toEqual({
      'd/0': 'small.example',
      'd/1': 'shop',
      'd/2': '8a7c8a0e-3b3c-4f0c-9a55-7f1f0f0c2b11',
      'd/3': 'app="web"\ntier="front\\"end"',
      'd/4': '',
      'd/5': 'web',
      'd/6': '',
    });
  });

  it.each([
    ['a field that it does not have', [{ path: 'a', fieldRef: { fieldPath: 'status.podIP' } }], 'unsupported-volume'],
    ['a path that leads elsewhere', [{ path: '../a', fieldRef: { fieldPath: 'metadata.name' } }], 'bad-volume'],
  ])('refuses %s', async (_, fields, code) => {
    await expect(bed.prepareOne({ volume: { name: 'about', downwardAPI: { fields } } })).rejects.toMatchObject({
      code,
    });
  });

  it.each(['../../a', '/../../../a', '..', 'd/..', ''])(
    'writes nothing for a container at the path %j',
    async (path) => {
      const fields = [{ path, fieldRef: { fieldPath: 'metadata.name' } }];
      const preparing = bed.prepareOne({ volume: { name: 'about', downwardAPI: { fields } }, hypervisor: 'lxc' });

      await expect(preparing).rejects.toMatchObject({
        code: 'bad-volume',
        field: 'spec.volumes[0].downwardAPI.fields',
      });
      expect(await readdir(bed.path)).toEqual([]);
    },
  );
});

describe('downward metrics', () => {
  it('are a disk in the form that guests know', async () => {
    const volume = await bed.prepareOne({ volume: { name: 'metrics', downwardMetrics: {} } });

    const disk = await readFile(volume.source.path);
    const text = disk.subarray(16, 16 + disk.readUInt32BE(12));
    expect(disk.toString('latin1', 0, 4)).toBe('mvbd');
    expect(disk.readUInt32BE(8)).toBe(text.reduce((sum, byte) => sum + byte, 0));
    expect(text.toString()).toMatch(/<name>Time<\/name>\s*<value>0<\/value>/);
    expect(volume.isReadOnly).toBe(true);
  });
});
