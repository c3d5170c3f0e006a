import { startHost, type BedHost } from '@smalt/bed-libvirt';
import { connect, isConnectionLost, openSession } from '@smalt/libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { awaitedLater } from './awaited-later.ts';

// A cut network says nothing: no packet is refused, and what was open stays half open.
const patience = { keepalive: { intervalMs: 1000, count: 2 }, connectTimeoutMs: 1000 };

describe('when the network falls silent', () => {
  let host: BedHost;

  beforeAll(async () => {
    host = await startHost();
  });

  afterAll(() => host[Symbol.asyncDispose]());

  it('a call under way fails, a new connection is given up, and both work again after it', async () => {
    await using connection = await connect(host.uri, patience);

    await host.cut();
    const call = awaitedLater(connection.connectGetType({ timeoutMs: 15_000 }));
    const attempt = connect(host.uri, patience);

    await expect(attempt).rejects.toMatchObject({ code: 'connect-timeout' });
    await expect(call).rejects.toMatchObject({ code: 'keepalive-timeout', procedure: 'connectGetType' });
    expect(await connection.closed).toMatchObject({ code: 'keepalive-timeout' });

    await host.heal();
    await using again = await connect(host.uri, patience);
    expect(await again.connectGetType()).toBe('QEMU');
  });

  it('a session fails its calls, waits, and comes back by itself with its subscriptions', async () => {
    await using session = openSession(host.uri, { ...patience, backOff: { initialMs: 100, maxMs: 500 } });
    await using events = await session.networkEvents({ kinds: ['lifecycle'] });

    await host.cut();
    await expect(session.connectGetType()).rejects.toSatisfy(isConnectionLost);
    expect(session.state.kind).not.toBe('connected');
    const waiting = awaitedLater(session.connectGetType());
    await host.heal();

    expect(await waiting).toBe('QEMU');
    expect((await events.next()).value).toMatchObject({ kind: 'resubscribed' });
    const network = await session.networkDefineXml({ xml: NETWORK });
    expect((await events.next()).value).toMatchObject({ kind: 'lifecycle', network });
  });
});

const NETWORK = '<network><name>back</name><forward mode="bridge"/><bridge name="back0"/></network>';
