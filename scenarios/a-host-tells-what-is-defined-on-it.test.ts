import { join } from 'node:path';

import { startHost, startTestDaemon, type BedHost } from '@smalt/bed-libvirt';
import {
  connect,
  NetworkEventLifecycleType,
  NodeDeviceEventLifecycleType,
  SecretEventLifecycleType,
  StoragePoolEventLifecycleType,
  type Connection,
  type EventIterator,
} from '@smalt/libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('a host tells', () => {
  const owned = new AsyncDisposableStack();
  let host: BedHost;
  let connection: Connection;

  beforeAll(async () => {
    host = owned.use(await startHost());
    connection = owned.use(await connect(host.uri));
  });

  afterAll(() => owned.disposeAsync());

  it('of the life of a network', async () => {
    await using events = await connection.networkEvents();

    const network = await connection.networkDefineXml({
      xml: '<network><name>red</name><forward mode="bridge"/><bridge name="red0"/></network>',
    });
    await connection.networkCreate({ network });
    await connection.networkDestroy({ network });
    await connection.networkUndefine({ network });

    const { defined, started, stopped, undefined: forgotten } = NetworkEventLifecycleType;
    expect(await taken(events, 4)).toEqual(
      [defined, started, stopped, forgotten].map((event) => ({ kind: 'lifecycle', network, event, detail: 0 })),
    );
  });

  it('of the life of a storage pool, and of every look into it', async () => {
    await using events = await connection.storagePoolEvents();
    const path = join(host.network.storagePath, 'pool');

    const pool = await connection.storagePoolDefineXml({
      xml: `<pool type="dir"><name>pool</name><target><path>${path}</path></target></pool>`,
    });
    await connection.storagePoolBuild({ pool });
    await connection.storagePoolCreate({ pool });
    await connection.storagePoolRefresh({ pool });
    await connection.storagePoolDestroy({ pool });
    await connection.storagePoolDelete({ pool });
    await connection.storagePoolUndefine({ pool });

    const { defined, created, started, stopped, deleted, undefined: forgotten } = StoragePoolEventLifecycleType;
    const lifecycle = (event: number): object => ({ kind: 'lifecycle', pool, event, detail: 0 });
    expect(await taken(events, 7)).toEqual([
      lifecycle(defined),
      lifecycle(created),
      lifecycle(started),
      { kind: 'refresh', pool },
      lifecycle(stopped),
      lifecycle(deleted),
      lifecycle(forgotten),
    ]);
  });

  it('of the life of a secret, and when its value changes', async () => {
    await using events = await connection.secretEvents();

    const secret = await connection.secretDefineXml({
      xml: '<secret><usage type="ceph"><name>client.admin</name></usage></secret>',
    });
    await connection.secretSetValue({ secret, value: Buffer.from('hush') });
    await connection.secretUndefine({ secret });

    const { defined, undefined: forgotten } = SecretEventLifecycleType;
    expect(await taken(events, 3)).toEqual([
      { kind: 'lifecycle', secret, event: defined, detail: 0 },
      { kind: 'value-changed', secret },
      { kind: 'lifecycle', secret, event: forgotten, detail: 0 },
    ]);
  });
});

// Real devices are found by udev, which a bed does not have; libvirt's mock hypervisor has devices to be made.
it('a daemon tells of the life of a device', async () => {
  await using daemon = await startTestDaemon();
  await using connection = await connect(daemon.uri);
  await using events = await connection.nodeDeviceEvents();

  const { name } = await connection.nodeDeviceCreateXml({ xml: VIRTUAL_PORT });
  await connection.nodeDeviceDestroy({ name });

  const { created, deleted } = NodeDeviceEventLifecycleType;
  expect(await taken(events, 2)).toEqual(
    [created, deleted].map((event) => ({ kind: 'lifecycle', device: { name }, event, detail: 0 })),
  );
});

const VIRTUAL_PORT = `<device><parent>scsi_host1</parent><capability type="scsi_host">
  <capability type="fc_host"><wwnn>2000000012341234</wwnn><wwpn>1000000012341234</wwpn></capability>
</capability></device>`;

async function taken(events: EventIterator<object>, count: number): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  while (values.length < count) values.push((await events.next()).value);
  return values;
}
