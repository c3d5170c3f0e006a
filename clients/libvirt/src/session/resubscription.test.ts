import { getEventListeners } from 'node:events';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { describe, expect, it } from 'vitest';

import { systemClock } from '../clock.ts';
import { connect } from '../connect.ts';
import type { Connection } from '../connection.ts';
import { buildMessage } from '../fake-daemon/build-message.ts';
import { FakeDaemon, type FakeCall } from '../fake-daemon/fake-daemon.ts';
import { turns, until } from '../fake-daemon/turns.ts';
import { eventMessages } from '../generated/events.gen.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { writeDomain, writeSecret } from '../generated/structs.gen.ts';
import { messageType, qemuProgram } from '../rpc/message.ts';
import { ConnectionKeeper } from './connection-keeper.ts';
import type { LibvirtSession } from './libvirt-session.ts';
import { openSession } from './open-session.ts';
import { Subscription } from './session-event-iterator.ts';

const register = procedures.connectDomainEventCallbackRegisterAny.number;
const deregister = procedures.connectDomainEventCallbackDeregisterAny.number;
const domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };
const lifecycle = { kinds: ['lifecycle'] } as const;

describe('a session that comes back', () => {
  it('registers at once with a real daemon, and keeps what happens until somebody reads', async () => {
    await using daemon = await startTestDaemon();
    await using session = openSession(daemon.uri, { backOff: { initialMs: 5, maxMs: 50 } });
    await using events = await session.domainEvents(lifecycle);
    daemon.kill('SIGKILL');
    await daemon.exited();
    await daemon.restart();

    // The registration leaves before this call does, and calls of one connection are begun in their order.
    const test = await session.domainLookupByName({ name: 'test' });
    await session.domainSuspend({ domain: test });
    await session.domainResume({ domain: test });
    await session.connectGetType();

    const seen: unknown[] = [];
    for (let turn = 0; turn < 3; turn++) seen.push((await events.next()).value);
    expect(seen).toMatchObject([{ kind: 'resubscribed' }, { event: 3 }, { event: 4 }]);
  });

  it('puts its mark between the events of the two connections, and counts what a slow reader cannot have', async () => {
    const calls: FakeCall[] = [];
    await using world = await fakeWorld((call) => {
      const first = calls.push(call) * 10;
      call.reply({ payload: (writer) => writer.int32(7) });
      for (let detail = first; detail < first + 3; detail++) call.socket.write(lifecycleEvent(7, detail));
    });
    const events = await world.session.domainEvents({ ...lifecycle, maxQueued: 5 });
    await world.roundTrip();

    world.lose();
    await until(() => calls.length === 2);
    await world.roundTrip();

    const seen: unknown[] = [];
    for (let turn = 0; turn < 6; turn++) seen.push((await events.next()).value);
    expect(seen).toMatchObject([
      { detail: 10 },
      { detail: 11 },
      { detail: 12 },
      { kind: 'resubscribed' },
      { detail: 20 },
      { kind: 'overflow', dropped: 2 },
    ]);
  });

  it('makes one mark of several losses that nobody saw', async () => {
    const calls: FakeCall[] = [];
    await using world = await fakeWorld((call) => {
      calls.push(call);
      call.reply({ payload: (writer) => writer.int32(7) });
    });
    const events = await world.session.domainEvents(lifecycle);
    for (let round = 2; round <= 4; round++) {
      world.lose();
      await until(() => calls.length === round);
      await world.roundTrip();
    }

    const mark = (await events.next()).value;
    world.daemon.send(lifecycleEvent(7, 1));

    expect(mark).toMatchObject({ kind: 'resubscribed', attempt: 4 });
    expect((await events.next()).value).toMatchObject({ detail: 1 });
  });

  it('asks a slow daemon only once, whatever the time limit of the first registration', async () => {
    const calls: FakeCall[] = [];
    await using world = await fakeWorld((call) => {
      if (calls.push(call) === 1) call.reply({ payload: (writer) => writer.int32(7) });
    });
    const events = await world.session.domainEvents({ ...lifecycle, timeoutMs: 200 });
    world.lose();
    await until(() => calls.length === 2);

    const started = performance.now();
    await until(() => performance.now() - started > 300);
    calls[1]?.reply({ payload: (writer) => writer.int32(8) });

    expect(await events.next()).toMatchObject({ value: { kind: 'resubscribed' } });
    expect(calls).toHaveLength(2);
  });

  it('holds one listener on the signal, however often the connection is lost', async () => {
    await using daemon = await FakeDaemon.listen((call) => call.reply({ payload: (writer) => writer.int32(7) }));
    const keeper = keeperOf(daemon);
    const signals: AbortSignal[] = [];
    const parts = {
      keeper,
      now: () => new Date(),
      options: { ...lifecycle, signal: new AbortController().signal },
      subscribe: (connection: Connection, options: { readonly signal: AbortSignal }) => {
        signals.push(options.signal);
        return connection.domainEvents({ ...lifecycle, ...options });
      },
    };
    const events = await Subscription.start(parts, await keeper.nextLink({}));

    const marks: unknown[] = [];
    for (let loss = 0; loss < 2; loss++) {
      daemon.sockets.at(-1)?.destroy();
      marks.push((await events.next()).value);
    }

    expect(marks).toMatchObject([{ kind: 'resubscribed' }, { kind: 'resubscribed' }]);
    expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([1, 1, 1]);
    await events.return();
    expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0, 0]);
    await keeper.close();
  });

  it('takes back the registration that the daemon confirms after the reader has left', async () => {
    const calls: FakeCall[] = [];
    await using world = await fakeWorld((call) => {
      if (calls.push(call) === 1) call.reply({ payload: (writer) => writer.int32(7) });
    });
    const events = await world.session.domainEvents(lifecycle);
    const waiting = events.next();
    world.lose();
    await until(() => calls.length === 2);

    await events.return();
    calls[1]?.reply({ payload: (writer) => writer.int32(8) });
    await until(() => calls.length === 3);
    calls[2]?.reply();

    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(calls[2]).toMatchObject({ header: { procedure: deregister }, payload: Buffer.from([0, 0, 0, 8]) });
  });

  it('can be closed while the daemon has not confirmed the new registration', async () => {
    const calls: FakeCall[] = [];
    await using world = await fakeWorld((call) => {
      if (calls.push(call) === 1) call.reply({ payload: (writer) => writer.int32(7) });
    });
    const events = await world.session.domainEvents(lifecycle);
    const waiting = events.next();
    world.lose();
    await until(() => calls.length === 2);

    await world.session.close({ timeoutMs: 20 });

    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(calls.map(({ header }) => header.procedure)).toEqual([register, register]);
  });
});

describe('the rarer events of a session', () => {
  it('are those of secrets', async () => {
    const secret = { uuid: domain.uuid, usageType: 1, usageID: 'disk' };
    await using world = await fakeWorld((call) => {
      call.reply({ payload: (writer) => writer.int32(3) });
      const { number: procedure } = eventMessages.secretEventLifecycle;
      const event = buildMessage({
        type: messageType.message,
        procedure,
        payload: (writer) => {
          writer.int32(3);
          writeSecret(writer, secret);
          writer.int32(1);
          writer.int32(0);
        },
      });
      call.socket.write(event);
    });

    const events = await world.session.secretEvents({ kinds: ['lifecycle'] });

    expect((await events.next()).value).toEqual({ kind: 'lifecycle', secret, event: 1, detail: 0 });
    world.lose();
    expect((await events.next()).value).toMatchObject({ kind: 'resubscribed' });
  });

  it('are those of the QEMU monitor', async () => {
    await using world = await fakeWorld((call) => {
      call.reply({ payload: (writer) => writer.int32(3) });
      const { number: procedure } = eventMessages.qemuDomainMonitorEvent;
      const event = buildMessage({
        program: qemuProgram,
        type: messageType.message,
        procedure,
        payload: (writer) => {
          writer.int32(3);
          writeDomain(writer, domain);
          writer.string('POWERDOWN');
          writer.int64(1n);
          writer.uint32(2);
          writer.bool(false);
        },
      });
      call.socket.write(event);
    });

    const events = await world.session.qemuMonitorEvents({ event: 'POWERDOWN' });

    expect((await events.next()).value).toMatchObject({ kind: 'monitor', event: 'POWERDOWN', domain });
    world.lose();
    expect((await events.next()).value).toMatchObject({ kind: 'resubscribed' });
  });

  it('are refused by a real daemon whose driver does not have them', async () => {
    await using daemon = await startTestDaemon();
    await using session = openSession(daemon.uri);

    await expect(session.secretEvents()).rejects.toMatchObject({ code: 'unsupported' });
    await expect(session.qemuMonitorEvents()).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('are the loss of the hypervisor, which a real daemon registers again after its return', async () => {
    await using daemon = await startTestDaemon();
    await using session = openSession(daemon.uri, { backOff: { initialMs: 5, maxMs: 50 } });
    await using events = await session.hypervisorLostEvents();
    const waiting = events.next();

    daemon.kill('SIGKILL');
    await daemon.exited();
    await daemon.restart();

    expect(await waiting).toMatchObject({ value: { kind: 'resubscribed' } });
    await expect(session.hypervisorLostEvents()).rejects.toMatchObject({ code: 'operation-invalid' });
  });

  it('are the loss of the hypervisor, told by each connection in turn', async () => {
    await using world = await fakeWorld((call) => {
      call.reply();
      const { number } = eventMessages.connectEventConnectionClosed;
      const payload = Buffer.from([0, 0, 0, 2]);
      call.socket.write(buildMessage({ type: messageType.message, procedure: number, payload }));
    });
    const events = await world.session.hypervisorLostEvents();
    const seen = [(await events.next()).value];

    world.lose();
    seen.push((await events.next()).value, (await events.next()).value);

    const lost = { kind: 'hypervisor-lost', reason: 2 };
    expect(seen).toMatchObject([lost, { kind: 'resubscribed' }, lost]);
  });
});

interface FakeWorld extends AsyncDisposable {
  readonly daemon: FakeDaemon;
  readonly session: LibvirtSession;
  /** Breaks the connection that is up. */
  lose(): void;
  /** What the daemon sent before is read, and has gone its way, when this resolves. */
  roundTrip(): Promise<void>;
}

async function fakeWorld(handler: (call: FakeCall) => void): Promise<FakeWorld> {
  const daemon = await FakeDaemon.listen(handler);
  const session = openSession(daemon.uri, { backOff: { initialMs: 1, maxMs: 5 } });
  await session.connected();
  return {
    daemon,
    session,
    lose: () => void daemon.sockets.at(-1)?.destroy(),
    roundTrip: async () => {
      await session.call(procedures.connectSupportsFeature, { feature: 1 });
      await turns(1);
    },
    [Symbol.asyncDispose]: async () => {
      await session.close({ timeoutMs: 20 });
      await daemon[Symbol.asyncDispose]();
    },
  };
}

function keeperOf(daemon: FakeDaemon): ConnectionKeeper<Connection> {
  return new ConnectionKeeper<Connection>({
    open: (signal) => connect(daemon.uri, { signal }),
    backOff: {},
    maxAttempts: Infinity,
    stableAfterMs: 10_000,
    maxWaitingCalls: 10,
    maxWaitingStates: 64,
    clock: systemClock,
    now: () => new Date(),
    random: () => 1,
    delay: async () => undefined,
  });
}

function lifecycleEvent(callbackID: number, detail: number): Buffer {
  return buildMessage({
    type: messageType.message,
    procedure: eventMessages.domainEventCallbackLifecycle.number,
    payload: (writer) => {
      writer.int32(callbackID);
      writeDomain(writer, domain);
      writer.int32(2);
      writer.int32(detail);
    },
  });
}
