import { join } from 'node:path';

import { ConsoleLog, ensureGuestImage, guestDomainXml, startHost, startNetwork } from '@smalt/bed-libvirt';
import { connect, DomainMigrateFlags, DomainState, isLibvirtError, migrateToUri } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { collectLifecycle } from './collect-lifecycle.ts';

// libvirt's own patience with its peer during a migration; its default is half a minute.
const impatient = { keepalive_interval: 1, keepalive_count: 2 };

it(
  'fails with a typed error, keeps the guest on its host, and moves it once the network is back',
  { timeout: 240_000 },
  async () => {
    await using network = await startNetwork();
    await using origin = await startHost({ network, qemu: impatient });
    await using target = await startHost({ network, qemu: impatient });
    await using from = await connect(origin.uri);
    // A way in that no cut network closes.
    await using beside = await connect(`qemu+unix:///system?socket=${target.socketPath}`);
    await using arriving = await collectLifecycle(beside);
    const log = new ConsoleLog(join(network.storagePath, 'stayer.log'));
    const image = await ensureGuestImage();
    const xml = guestDomainXml({ name: 'stayer', image, words: ['tick', 'dirty=32'], console: { file: log.path } });
    const domain = await from.domainCreateXml({ xml });
    await log.waitFor(/tick 1\b/);
    await using iterations = await from.domainEvents({ kinds: ['migration-iteration'] });

    const move = { domain, destinationUri: target.uri, flags: DomainMigrateFlags.live };
    const outcome = migrateToUri(from, { ...move, parameters: { bandwidth: 4n } }).catch((error: unknown) => error);
    await iterations.next();
    await target.cut();
    const error = await outcome;

    expect(error).toSatisfy(isLibvirtError);
    expect((await from.domainGetState({ domain })).state).toBe(DomainState.running);
    const printed = (await log.text()).length;
    await log.waitFor(/tick \d+/, { from: printed });

    await target.heal();
    // The destination keeps its half of the guest until it notices that the source is gone.
    await arriving.until('stopped');
    await migrateToUri(from, move);

    expect((await beside.connectListAllDomains()).map((each) => each.name)).toEqual(['stayer']);
  },
);
