import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DomainEvent } from '../generated/events.gen.ts';
import { isConnectionLost } from '../libvirt-error.ts';
import type { LibvirtSession } from './libvirt-session.ts';
import { openSession } from './open-session.ts';
import type { SessionEventIterator } from './session-event-iterator.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionState } from './session-state.ts';

const SUSPENDED = 3;
const RESUMED = 4;

let daemon: TestDaemon;

beforeEach(async () => {
  daemon = await startTestDaemon();
});

afterEach(async () => {
  await daemon[Symbol.asyncDispose]();
});

describe('a session with a real daemon', () => {
  it('connects by itself, and has the methods of a connection', async () => {
    await using session = open();

    const domains = await session.connectListAllDomains();

    expect(domains).toMatchObject([{ name: 'test' }]);
    expect(session.state).toMatchObject({ kind: 'connected', attempt: 1 });
  });

  it('comes back after the daemon was killed, and lets calls wait until then', async () => {
    await using session = open();
    await session.connected();
    daemon.kill('SIGKILL');
    await reached(session, 'waiting');

    const call = session.connectGetType();
    await daemon.restart();

    expect(await call).toBe('TEST');
  });

  it('fails the call that is under way when the daemon is killed, and does not repeat it', async () => {
    await using session = open();
    await session.connected();
    daemon.kill('SIGSTOP');
    const call = session.connectGetHostname();

    daemon.kill('SIGKILL');

    await expect(call).rejects.toMatchObject({ code: 'connection-lost', procedure: 'connectGetHostname' });
  });

  it('lets a call that is made right after a loss wait for the next connection', async () => {
    await using session = open();
    await session.connected();
    daemon.kill('SIGSTOP');
    const repeated = session.connectGetType().catch(() => session.connectGetType());

    daemon.kill('SIGKILL');
    await daemon.exited();
    await daemon.restart();

    expect(await repeated).toBe('TEST');
  });

  it('gives up on a daemon that hangs, and comes back when it goes on', async () => {
    await using session = open({ keepalive: { intervalMs: 200, count: 2 }, connectTimeoutMs: 300 });
    await session.connected();
    const states = session.states();

    daemon.kill('SIGSTOP');
    const lost = await next(states, 'waiting');
    const refused = await next(states, 'waiting');
    daemon.kill('SIGCONT');

    expect(await session.connectGetType()).toBe('TEST');
    expect([lost, refused]).toMatchObject([
      { error: { code: 'keepalive-timeout' } },
      { error: { code: 'connect-timeout' } },
    ]);
  });

  it('loses no more than the calls that were under way when the daemon restarts under load', async () => {
    await using session = open();
    await session.connected();
    const outcomes = { answered: 0, lost: 0, other: [] as unknown[] };
    const stop = new AbortController();
    const worker = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await session.connectListAllDomains().then(
          () => (outcomes.answered += 1),
          (error: unknown) => (isConnectionLost(error) ? (outcomes.lost += 1) : outcomes.other.push(error)),
        );
      }
    };

    const workers = Array.from({ length: 40 }, worker);
    for (let round = 0; round < 3; round += 1) {
      daemon.kill('SIGKILL');
      await daemon.exited();
      await daemon.restart();
      await session.connected();
      await session.connectGetType();
    }
    stop.abort();
    await Promise.all(workers);

    expect(outcomes.other).toEqual([]);
    expect(outcomes.lost).toBeGreaterThan(0);
    expect(outcomes.lost).toBeLessThanOrEqual(3 * 40);
    expect(outcomes.answered).toBeGreaterThan(0);
  });
});

describe('the events of a session', () => {
  it('go on after the daemon was killed, with a mark where some may be missing', async () => {
    await using session = open();
    await using events = await session.domainEvents({ kinds: ['lifecycle'] });
    await suspend(session);
    const before = await take(events, 1);

    daemon.kill('SIGKILL');
    await daemon.exited();
    await daemon.restart();
    const mark = await take(events, 1);
    await suspend(session);
    await resume(session);
    const after = await take(events, 2);

    expect(before).toMatchObject([{ kind: 'lifecycle', event: SUSPENDED, domain: { name: 'test' } }]);
    expect(mark).toMatchObject([{ kind: 'resubscribed', lostAt: expect.any(Date), restoredAt: expect.any(Date) }]);
    expect(after).toMatchObject([{ event: SUSPENDED }, { event: RESUMED }]);
  });

  it('are told in their order when nobody read them before the loss', async () => {
    await using session = open();
    await using events = await session.domainEvents({ kinds: ['lifecycle'] });
    await suspend(session);
    await resume(session);
    // Events go over the same wire as replies: what came before this reply is here.
    await session.connectGetType();

    daemon.kill('SIGKILL');
    await daemon.exited();
    await daemon.restart();
    await session.connected();

    expect(await take(events, 3)).toMatchObject([{ event: SUSPENDED }, { event: RESUMED }, { kind: 'resubscribed' }]);
  });

  it('are there for every kind of object', async () => {
    await using session = open();
    const iterators = [
      await session.domainEvents(),
      await session.networkEvents(),
      await session.storagePoolEvents(),
      await session.nodeDeviceEvents(),
    ];

    const marks = iterators.map((iterator) => iterator.next());
    daemon.kill('SIGKILL');
    await daemon.exited();
    await daemon.restart();

    expect(await Promise.all(marks)).toMatchObject(iterators.map(() => ({ value: { kind: 'resubscribed' } })));
    for (const iterator of iterators) await iterator.return();
  });

  it('tell a second loss as well', async () => {
    await using session = open();
    await using events = await session.domainEvents({ kinds: ['lifecycle'] });

    const marks: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      daemon.kill('SIGKILL');
      await daemon.exited();
      await daemon.restart();
      marks.push(...(await take(events, 1)));
    }

    expect(marks).toMatchObject([{ kind: 'resubscribed' }, { kind: 'resubscribed' }]);
  });

  it('end when the reader leaves while there is no connection', async () => {
    await using session = open();
    const events = await session.domainEvents({ kinds: ['lifecycle'] });
    daemon.kill('SIGKILL');
    await reached(session, 'waiting');
    const waiting = events.next();

    await events.return();

    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('end when the session is closed', async () => {
    const session = open();
    const events = await session.domainEvents({ kinds: ['lifecycle'] });
    const waiting = events.next();

    await session.close();

    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('end with an error when their signal fires, also while there is no connection', async () => {
    await using session = open();
    const controller = new AbortController();
    const events = await session.domainEvents({ kinds: ['lifecycle'], signal: controller.signal });
    daemon.kill('SIGKILL');
    await reached(session, 'waiting');
    const waiting = events.next();

    controller.abort();

    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});

describe('a session without a daemon', () => {
  it('fails calls at once when told to', async () => {
    await using session = open({ whenDown: 'fail' });
    await session.connected();
    daemon.kill('SIGKILL');
    await reached(session, 'waiting');

    const call = session.domainLookupByName({ name: 'test' });

    await expect(call).rejects.toMatchObject({
      code: 'connection-lost',
      procedure: 'domainLookupByName',
      message: expect.stringContaining('there is no connection'),
    });
  });

  it('lets calls wait no longer than their own limit, or else the grace of the session', async () => {
    await using session = open({ reconnectGraceMs: 60 });
    await session.connected();
    daemon.kill('SIGKILL');
    await reached(session, 'waiting');

    const own = session.connectGetType({ timeoutMs: 20 });
    const grace = session.connectGetType();

    await expect(own).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('within 20 ms') });
    await expect(grace).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('within 60 ms') });
  });

  it('lets no more calls wait than it may', async () => {
    await using session = open({ maxWaitingCalls: 2 });
    await session.connected();
    daemon.kill('SIGKILL');
    await reached(session, 'waiting');

    const calls = [session.connectGetType(), session.connectGetType(), session.connectGetType()];
    const third = await Promise.allSettled(calls.slice(2));
    await daemon.restart();

    expect(third).toMatchObject([{ reason: { code: 'queue-full', procedure: 'connectGetType' } }]);
    expect(await Promise.all(calls.slice(0, 2))).toEqual(['TEST', 'TEST']);
  });

  it('refuses a URI that cannot be followed at once', () => {
    expect(() => openSession('qemu+ssh://host/system')).toThrow(expect.objectContaining({ code: 'invalid-uri' }));
  });

  it('is closed for good when its attempts are used up', async () => {
    daemon.kill('SIGKILL');
    await daemon.exited();
    await using session = open({ maxAttempts: 3 });

    await expect(session.connectGetType()).rejects.toMatchObject({
      code: 'connect-failed',
      message: expect.stringMatching(/^gave up after 3 attempts: .*nothing listens there/),
    });
    expect(session.state).toMatchObject({ kind: 'closed', error: { code: 'connect-failed' } });
  });

  it('closes at once while a daemon keeps it waiting', async () => {
    await using silent = await silentListener();
    const session = openSession(`test+tcp://127.0.0.1:${silent.port}/default`);
    const call = session.connectGetType();
    await silent.connected;

    await session.close();

    await expect(call).rejects.toMatchObject({ code: 'closed' });
    expect(session.state).toEqual({ kind: 'closed' });
  });
});

function open(options: SessionOptions = {}): LibvirtSession {
  return openSession(daemon.uri, { backOff: { initialMs: 5, maxMs: 50 }, ...options });
}

async function suspend(session: LibvirtSession): Promise<void> {
  await session.domainSuspend({ domain: await session.domainLookupByName({ name: 'test' }) });
}

async function resume(session: LibvirtSession): Promise<void> {
  await session.domainResume({ domain: await session.domainLookupByName({ name: 'test' }) });
}

async function take(events: SessionEventIterator<DomainEvent>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) taken.push((await events.next()).value);
  return taken;
}

async function reached(session: LibvirtSession, kind: SessionState['kind']): Promise<void> {
  await using states = session.states();
  await next(states, kind);
}

async function next(states: AsyncIterator<SessionState>, kind: SessionState['kind']): Promise<SessionState> {
  for (;;) {
    const { done, value } = await states.next();
    if (done === true) throw new Error(`the session ended before it was ${kind}`);
    if (value.kind === kind) return value;
  }
}

interface SilentListener extends AsyncDisposable {
  readonly port: number;
  readonly connected: Promise<unknown>;
}

async function silentListener(): Promise<SilentListener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  const connected = once(server, 'connection');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connected,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
