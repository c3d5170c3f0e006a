import { join } from 'node:path';

import {
  ConsoleLog,
  ensureGuestImage,
  guestDomainXml,
  startHost,
  startNetwork,
  type BedHost,
  type BedNetwork,
} from '@smalt/bed-libvirt';
import {
  connect,
  DomainJobOperation,
  DomainState,
  isAborted,
  isConnectionLost,
  migrate,
  migrateToUri,
  type Connection,
  type Domain,
} from '@smalt/libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { collectDomainEvents, type DomainEventCollector } from './collect-domain-events.ts';

const keepalive = { intervalMs: 1000, count: 2 };
/** In MiB a second: so little that the guest writes memory faster than it can be sent. */
const slowly = { bandwidth: 4n };

// One guest, emulated and slow to boot, lives through all of it in this order.
describe('a client between two hosts that cannot talk to each other', { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  let network: BedNetwork;
  let origin: BedHost;
  let target: BedHost;
  let from: Connection;
  let domain: Domain;
  let events: DomainEventCollector;
  let console: ConsoleLog;

  beforeAll(async () => {
    network = owned.use(await startNetwork());
    origin = owned.use(await startHost({ network }));
    target = owned.use(await startHost({ network }));
    await forbidTalk(origin);
    from = owned.use(await connect(origin.uri));
    events = owned.use(await collectDomainEvents(from));
    console = new ConsoleLog(join(network.storagePath, 'guest.log'));
    const image = await ensureGuestImage();
    const words = ['tick', 'dirty=32'] as const;
    const xml = guestDomainXml({ name: 'guest', image, words, console: { file: console.path } });
    domain = await from.domainCreateXml({ xml });
    await console.waitFor(/dirty-started/);
  });

  afterAll(() => owned.disposeAsync());

  it('is needed, as the source cannot move the guest by itself', async () => {
    const migration = migrateToUri(from, { domain, destinationUri: target.uri });

    await expect(migration).rejects.toMatchObject({ code: 'system-error', message: expect.stringContaining('16509') });
  });

  it('can give up in the middle, and the guest stays', async () => {
    await using to = await connect(target.uri);
    const controller = new AbortController();

    const outcome = migrate(from, to, { domain, parameters: slowly, signal: controller.signal });
    const failure = outcome.catch((error: unknown) => error);
    await events.take('migration-iteration', isFirst);
    expect(await to.connectListAllDomains()).toMatchObject([{ name: 'guest' }]);
    controller.abort();

    expect(await failure).toSatisfy(isAborted);
    expect(await to.connectListAllDomains()).toEqual([]);
    await expectToRun();
  });

  it('fails when the destination loses its power in the middle, and the guest stays', async () => {
    const to = await connect(target.uri, { keepalive });

    const failure = migrate(from, to, { domain, parameters: slowly }).catch((error: unknown) => error);
    await events.take('migration-iteration', isFirst);
    await target.crash();

    expect(await failure).toSatisfy(isConnectionLost);
    await expectToRun();
    await target.powerOn();
    await using again = await connect(target.uri);
    expect(await again.connectListAllDomains()).toEqual([]);
  });

  it('moves the guest, which runs on, and the source tells how it went', async () => {
    await using to = await connect(target.uri);

    const moved = await migrate(from, to, { domain });

    expect(moved).toEqual({ domain: { name: 'guest', uuid: domain.uuid, id: expect.any(Number) } });
    expect((await to.domainGetState({ domain: moved.domain })).state).toBe(DomainState.running);
    expect(await from.connectListAllDomains()).toEqual([]);
    await nextTick();
    const { params } = await events.take('job-completed');
    expect(params).toMatchObject({ operation: DomainJobOperation.migrationOut, memory_remaining: 0n });
    expect(params.memory_processed).toBeGreaterThan(0n);
  });

  async function expectToRun(): Promise<void> {
    expect((await from.domainGetState({ domain })).state).toBe(DomainState.running);
    await nextTick();
  }

  async function nextTick(): Promise<void> {
    await console.waitFor(/tick \d+/, { from: (await console.text()).length });
  }
});

/** Each migration counts its passes over the memory from one. */
function isFirst({ iteration }: { readonly iteration: number }): boolean {
  return iteration === 1;
}

/** libvirt's own port is closed to what this host sends; the ports that carry a guest's memory are not. */
async function forbidTalk(host: BedHost): Promise<void> {
  await host.exec(['ip', 'rule', 'add', 'ipproto', 'tcp', 'dport', '16509', 'prohibit']);
}
