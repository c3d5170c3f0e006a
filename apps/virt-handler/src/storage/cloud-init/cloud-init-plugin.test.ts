import { readFile, stat, symlink } from 'node:fs/promises';

import type { AccessCredential, SSHPublicKeyAccessCredentialPropagationMethod, Volume } from '@smalt/vm-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readDirectory, readMedium } from '../fixtures/read-medium.ts';
import { StorageBed } from '../fixtures/storage-bed.ts';

const UID = '8a7c8a0e-3b3c-4f0c-9a55-7f1f0f0c2b11';
const MIB = 1 << 20;
let bed: StorageBed;

beforeEach(async () => {
  bed = await StorageBed.open();
});

afterEach(() => bed[Symbol.asyncDispose]());

describe('a NoCloud disk', () => {
  it('is an ISO image of that label, which only root can read', async () => {
    const volume = await bed.prepareOne({
      volume: noCloud({ userData: '#cloud-config\npassword: secret\n', networkData: 'version: 2\n' }),
    });

    const { path } = volume.source;
    expect(volume).toMatchObject({ format: 'raw', source: { kind: 'file' } });
    expect(path).toBe(bed.at('instance/volumes/init/medium.iso'));
    expect((await readFile(path)).toString('latin1', 32_808, 32_814)).toBe('cidata');
    const { mode, size } = await stat(path);
    expect([mode & 0o777, size % MIB]).toEqual([0o600, 0]);
    expect(readMedium(path)).toEqual({
      'user-data': '#cloud-config\npassword: secret\n',
      'network-config': 'version: 2\n',
      'meta-data': JSON.stringify({ 'instance-id': UID, 'local-hostname': 'small' }),
    });
  });

  it('is a FAT disk for a hypervisor without ISO images', async () => {
    const volume = await bed.prepareOne({ volume: noCloud({ userData: 'x' }), hypervisor: 'cloud-hypervisor' });

    expect(volume.source.path).toBe(bed.at('instance/volumes/init/medium.img'));
    expect((await readFile(volume.source.path)).toString('latin1', 43, 54)).toBe('CIDATA     ');
    expect(readMedium(volume.source.path)).toMatchObject({ 'user-data': 'x' });
  });

  it('is a directory for a container', async () => {
    const volume = await bed.prepareOne({ volume: noCloud({ userData: 'x' }), hypervisor: 'lxc' });

    expect(volume.source).toEqual({ kind: 'directory', path: bed.at('instance/volumes/init/files') });
    expect(Object.keys(readDirectory(volume.source.path)).toSorted()).toEqual(['meta-data', 'user-data']);
    expect((await stat(`${volume.source.path}/user-data`)).mode & 0o777).toBe(0o600);
  });

  it('has user data though there is none, and the name and id that the instance asks for', async () => {
    const domain = { devices: {}, firmware: { uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223' } };

    const volume = await bed.prepareOne({ volume: noCloud({}), instance: { hostname: 'web', domain } });

    expect(readMedium(volume.source.path)).toEqual({
      'user-data': '',
      'meta-data': JSON.stringify({ 'instance-id': domain.firmware.uuid, 'local-hostname': 'web' }),
    });
  });

  it('takes data in base64, with line ends in it', async () => {
    const userDataBase64 = `${Buffer.from('hello').toString('base64')}\n`;

    const volume = await bed.prepareOne({ volume: noCloud({ userDataBase64 }) });

    expect(readMedium(volume.source.path)).toMatchObject({ 'user-data': 'hello' });
  });

  it('takes data from Secrets as the kubelet shows them', async () => {
    await bed.write('pod/udata/..2026/userData', 'from a secret');
    await symlink('..2026', bed.at('pod/udata/..data'));
    await symlink('..data/userData', bed.at('pod/udata/userData'));
    await bed.write('pod/ndata/networkdata', 'version: 1');
    const volume = noCloud({ secretRef: { name: 'u' }, networkDataSecretRef: { name: 'n' } });

    const prepared = await bed.prepareOne({
      volume,
      pod: { 'init-udata': 'pod/udata', 'init-ndata': 'pod/ndata' },
    });

    expect(readMedium(prepared.source.path)).toMatchObject({
      'user-data': 'from a secret',
      'network-config': 'version: 1',
    });
  });

  it('takes the keys of access credentials that come this way', async () => {
    await bed.write('pod/keys/alice', 'ssh-ed25519 AAAA alice\n# a comment\nssh-ed25519 BBBB alice\n');
    await bed.write('pod/keys/bob', 'ssh-rsa CCCC bob');
    const accessCredentials = [sshKey({ qemuGuestAgent: { users: ['alice'] } }), sshKey({ noCloud: {} })];

    const volume = await bed.prepareOne({
      volume: noCloud({ userData: 'x' }),
      instance: { accessCredentials },
      pod: { 'access-credential-1': 'pod/keys' },
    });

    const metaData: unknown = JSON.parse(readMedium(volume.source.path)['meta-data'] ?? '');
    expect(metaData).toMatchObject({
      'public-keys': { 0: 'ssh-ed25519 AAAA alice', 1: 'ssh-ed25519 BBBB alice', 2: 'ssh-rsa CCCC bob' },
    });
  });

  it('stays as it is when it is prepared again, also when the Secret is gone by then', async () => {
    await bed.write('pod/udata/userdata', 'first');
    const volume = noCloud({ secretRef: { name: 'u' } });
    const first = await bed.prepareOne({ volume, pod: { 'init-udata': 'pod/udata' } });

    const again = await bed.prepareOne({ volume });

    expect(again).toEqual(first);
    expect(readMedium(again.source.path)).toMatchObject({ 'user-data': 'first' });
  });

  it.each([
    ['data that is not in base64', { userDataBase64: '%secret%' }, 'bad-volume', 'userDataBase64'],
    ['a Secret without the entry', { secretRef: { name: 'u' } }, 'bad-volume', 'secretRef'],
    [
      'a Secret that is not in the pod',
      { networkDataSecretRef: { name: 'n' } },
      'volume-not-ready',
      'networkDataSecretRef',
    ],
  ])('refuses %s, and shows none of it', async (_, source, code, field) => {
    await bed.write('pod/udata/password', 'secret');

    const preparing = bed.prepareOne({ volume: noCloud(source), pod: { 'init-udata': 'pod/udata' } });

    await expect(preparing).rejects.toMatchObject({
      code,
      field: `spec.volumes[0].cloudInitNoCloud.${field}`,
      message: expect.not.stringMatching(/%secret%|password/),
    });
  });

  it('refuses a Secret whose entry leads elsewhere, or is huge', async () => {
    await bed.write('pod/out/other', 'x');
    await symlink('/etc/shadow', bed.at('pod/out/userdata'));
    await bed.write('pod/huge/userdata', Buffer.alloc(5 * MIB));
    const volume = noCloud({ secretRef: { name: 'u' } });

    for (const path of ['pod/out', 'pod/huge']) {
      const preparing = bed.prepareOne({ volume, pod: { 'init-udata': path } });

      await expect(preparing).rejects.toMatchObject({ code: 'bad-volume' });
    }
  });
});

describe('a config drive', () => {
  it('has the files of OpenStack under its label', async () => {
    const volume = await bed.prepareOne({
      volume: { name: 'init', cloudInitConfigDrive: { userData: '#!/bin/sh\n', networkData: '{}' } },
    });

    expect((await readFile(volume.source.path)).toString('latin1', 32_808, 32_816)).toBe('config-2');
    expect(readMedium(volume.source.path)).toEqual({
      'openstack/latest/user_data': '#!/bin/sh\n',
      'openstack/latest/network_data.json': '{}',
      'openstack/latest/meta_data.json': JSON.stringify({
        instance_id: 'small.example.shop',
        uuid: UID,
        hostname: 'small',
      }),
    });
  });

  it('takes keys that come by a config drive, and no others', async () => {
    await bed.write('pod/a/key', 'ssh-rsa A');

    const volume = await bed.prepareOne({
      volume: { name: 'init', cloudInitConfigDrive: {} },
      instance: { accessCredentials: [sshKey({ configDrive: {} }), sshKey({ noCloud: {} })] },
      pod: { 'access-credential-0': 'pod/a' },
    });

    const text = readMedium(volume.source.path)['openstack/latest/meta_data.json'] ?? '';
    expect(JSON.parse(text)).toMatchObject({ public_keys: { 0: 'ssh-rsa A' } });
  });
});

function sshKey(propagationMethod: SSHPublicKeyAccessCredentialPropagationMethod): AccessCredential {
  return { sshPublicKey: { source: { secret: { secretName: 'keys' } }, propagationMethod } };
}

function noCloud(cloudInitNoCloud: NonNullable<Volume['cloudInitNoCloud']>): Volume {
  return { name: 'init', cloudInitNoCloud };
}
