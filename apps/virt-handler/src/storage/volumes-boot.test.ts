import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { ConsoleLog, startHost, type BedHost } from '@smalt/bed-libvirt';
import { printDomain, type DomainVolume } from '@smalt/domain-xml';
import { buildDemoDisk, ensureGuestImage } from '@smalt/guest-image';
import { findHypervisor } from '@smalt/hypervisors';
import { openImageStore } from '@smalt/image-store';
import { connect, type Connection } from '@smalt/libvirt';
import type { VirtualMachineInstance, Volume } from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { StorageBed } from './fixtures/storage-bed.ts';

let bed: AsyncDisposableStack;
let host: BedHost;
let connection: Connection;

beforeAll(async () => {
  await using cleanUp = new AsyncDisposableStack();
  host = cleanUp.use(await startHost());
  connection = cleanUp.use(await connect(host.uri));
  bed = cleanUp.move();
});

afterAll(() => bed?.disposeAsync());

it(
  'a guest boots from an imported image and reads its disks for cloud-init, ISO and FAT',
  { timeout: 120_000 },
  async () => {
    await using storage = await StorageBed.open(host.network.storagePath);
    const store = openImageStore(storage.at('images'));
    await buildDemoDisk({ path: storage.at('demo.img'), image: await ensureGuestImage() });
    await store.importFile(storage.at('demo.img'), 'demo');
    await rm(storage.at('demo.img'));
    await store.exposeIn(storage.at('pod/root'), 'demo');
    const log = new ConsoleLog(join(host.network.storagePath, 'guest.log'));

    const volumes = [
      ...(await prepare(storage, 'by-iso', true, [
        { name: 'root', containerDisk: { image: 'demo' } },
        { name: 'iso', cloudInitNoCloud: { userData: '#cloud-config' } },
      ])),
      ...(await prepare(storage, 'by-fat', false, [
        { name: 'fat', cloudInitConfigDrive: { userData: '#cloud-config' } },
        { name: 'scratch', emptyDisk: { capacity: '1Gi' } },
      ])),
    ];
    await connection.domainCreateXml({ xml: domainXml(volumes, log.path) });
    await log.waitFor(/^cloud-init hostname by-iso\r?$/m, WAIT);
    await log.waitFor(/^cloud-init hostname by-fat\r?$/m, WAIT);
    await log.waitFor(/^by-fat login: /m, WAIT);

    await expect(store.remove('demo')).rejects.toMatchObject({ code: 'image-in-use' });
    await host.exec(['virsh', 'destroy', 'shop_guest']);
  },
);

const WAIT = { timeoutMs: 100_000 };

/** Prepares volumes as the handler does, for a hypervisor with ISO images or without. */
async function prepare(
  storage: StorageBed,
  hostname: string,
  supportsIso: boolean,
  volumes: readonly Volume[],
): Promise<readonly DomainVolume[]> {
  const hypervisor = { ...findHypervisor('qemu'), supportsIso };
  return storage.prepare({ volumes, hypervisor, instance: { hostname }, pod: { root: 'pod/root' } });
}

function domainXml(volumes: readonly DomainVolume[], logPath: string): string {
  return printDomain(findHypervisor('qemu'), anInstance(volumes), {
    volumes,
    networks: [],
    hostDevices: [],
    firmware: [],
    node: { cells: [] },
    paths: { serial: `${logPath}.socket`, serialLog: logPath },
    machineLabel: { manufacturer: 'Smalt', family: 'Smalt', product: 'Virtual machine' },
  });
}

function anInstance(volumes: readonly DomainVolume[]): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'guest', namespace: 'shop' },
    spec: {
      hypervisor: 'qemu',
      volumes: volumes.map(({ name }) => ({ name })),
      domain: {
        cpu: { model: 'qemu64' },
        memory: { guest: '128Mi' },
        machine: { type: 'q35' },
        devices: {
          autoattachGraphicsDevice: false,
          disks: volumes.map(({ name }) => ({ name, disk: { bus: 'virtio' } })),
        },
      },
    },
  };
}
