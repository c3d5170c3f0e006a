import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startHost, startTestDaemon } from '@smalt/bed-libvirt';
import type { FirmwareImage } from '@smalt/domain-xml';
import { findHypervisor } from '@smalt/hypervisors';
import { openSession } from '@smalt/libvirt';
import { describe, expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import { findFirmware, findFirmwareImages } from './firmware-images.ts';

const here = { kind: 'efi', loader: import.meta.filename, variables: import.meta.filename } as const;
const elsewhere = { kind: 'efi', loader: '/srv/CODE.fd', variables: '/srv/VARS.fd' } as const;
const withEfi = anInstance({}, { domain: { devices: {}, firmware: { bootloader: { efi: { secureBoot: false } } } } });

describe('the firmware of guests', () => {
  it('counts only if all its files are on the node', async () => {
    const places: readonly FirmwareImage[] = [
      here,
      { ...here, variables: '/no/such/file' },
      { kind: 'hypervisor', loader: '/no/such/file' },
    ];

    expect(await findFirmwareImages([], places)).toEqual([here]);
  });

  it('is what libvirt names before what is on the node, in the order of choice', async () => {
    const second = { ...elsewhere, loader: '/srv/OTHER.fd' };

    expect(await findFirmwareImages([second.loader, elsewhere.loader], [here, elsewhere, second])).toEqual([
      elsewhere,
      second,
      here,
    ]);
  });
});

describe('a libvirt with other files than the node', () => {
  const ignored: string[] = [];
  const deps = {
    ignore: (_: unknown, why: string) => void ignored.push(why),
    places: [{ ...elsewhere, loader: '/srv/NONE.fd' }, here, elsewhere],
  };

  it('is asked for its firmware, once a guest wants any', { timeout: 60_000 }, async () => {
    await using files = await mkdtempDisposable(join(tmpdir(), 'smalt-firmware-'));
    for (const name of ['CODE.fd', 'VARS.fd']) await writeFile(join(files.path, name), '');
    const nvram = ['CODE', 'NONE'].map((name) => `/srv/${name}.fd:/srv/VARS.fd`);
    await using host = await startHost({ qemu: { nvram }, bindMounts: [{ source: files.path, target: '/srv' }] });
    await using session = openSession(host.uri);
    const driver = { hypervisor: findHypervisor('qemu'), session };
    const signal = AbortSignal.timeout(30_000);

    expect(await findFirmware(deps, { instance: withEfi, driver }, signal)).toEqual([elsewhere, here]);
    expect(await findFirmware(deps, { instance: anInstance(), driver }, signal)).toEqual([here]);
    expect(ignored).toEqual([]);
  });

  it('that cannot tell has the firmware of the node', { timeout: 60_000 }, async () => {
    await using daemon = await startTestDaemon();
    await using session = openSession(daemon.uri);
    const driver = { hypervisor: findHypervisor('test'), session };

    const found = await findFirmware(deps, { instance: withEfi, driver }, AbortSignal.timeout(30_000));

    expect(found).toEqual([here]);
    expect(ignored).toEqual(['firmware that libvirt does not name is looked for on the node']);
  });
});
