import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { biosDomainXml, startHost, startNetwork } from '@smalt/bed-libvirt';
import { connect, DomainState } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { collectLifecycle } from './collect-lifecycle.ts';
import { startReadmeExample } from './readme-example.ts';

const readme = 'clients/libvirt/README.md';
const MIB = 1024 * 1024;

it('brings a file into a volume and back', async () => {
  await using host = await startHost();
  await using connection = await connect(host.uri);
  const path = join(host.network.storagePath, 'pool');
  const pool = await connection.storagePoolDefineXml({
    xml: `<pool type="dir"><name>default</name><target><path>${path}</path></target></pool>`,
  });
  await connection.storagePoolBuild({ pool });
  await connection.storagePoolCreate({ pool });
  await connection.storageVolCreateXml({ pool, xml: volumeXml('disk.raw', 8) });
  const disk = Buffer.concat([randomBytes(MIB), Buffer.alloc(6 * MIB), randomBytes(MIB)]);

  await using example = await startReadmeExample({
    readme,
    containing: 'storageVolUpload',
    replace: { 'qemu+tcp://hv1.example/system': host.uri },
    files: { 'disk.raw': disk },
  });
  await example.output;

  expect(disk.equals(await readFile(join(path, 'disk.raw')))).toBe(true);
  expect(disk.equals(await readFile(join(example.folder, 'copy.raw')))).toBe(true);
});

it('moves a domain to another host, and back', { timeout: 60_000 }, async () => {
  await using network = await startNetwork();
  await using first = await startHost({ network });
  await using second = await startHost({ network });
  await using connection = await connect(first.uri);
  await connection.domainCreateXml({ xml: biosDomainXml({ name: 'web' }) });
  await using events = await collectLifecycle(connection);

  await using example = await startReadmeExample({
    readme,
    containing: 'migrateToUri(destination',
    replace: { 'qemu+tcp://hv1.example/system': first.uri, 'qemu+tcp://hv2.example/system': second.uri },
  });
  await example.output;

  expect(await events.until('resumed')).toEqual([
    'suspended migrated',
    'stopped migrated',
    'started migrated',
    'resumed migrated',
  ]);
  const domain = await connection.domainLookupByName({ name: 'web' });
  expect((await connection.domainGetState({ domain })).state).toBe(DomainState.running);
});

function volumeXml(name: string, sizeMiB: number): string {
  return `<volume><name>${name}</name><capacity unit="MiB">${sizeMiB}</capacity><allocation>0</allocation></volume>`;
}
