import { getEventListeners } from 'node:events';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { describe, expect, it } from 'vitest';

import { connect } from '../connect.ts';
import type { ConnectOptions } from '../connect-options.ts';
import type { Connection } from '../connection.ts';
import { buildMessage, errorPayload } from '../fake-daemon/build-message.ts';
import { FakeDaemon, type FakeCall } from '../fake-daemon/fake-daemon.ts';
import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { openChannel } from '../fake-daemon/open-channel.ts';
import { until } from '../fake-daemon/turns.ts';
import { domainEvents, eventMessages } from '../generated/events.gen.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { writeDomain } from '../generated/structs.gen.ts';
import type { LibvirtWarning } from '../libvirt-warning.ts';
import { messageStatus, messageType } from '../rpc/message.ts';
import { EventHub } from './event-hub.ts';

const register = procedures.connectDomainEventCallbackRegisterAny.number;
const deregister = procedures.connectDomainEventCallbackDeregisterAny.number;
const lifecycle = ['lifecycle'] as const;

describe('a registration that is given up', () => {
  it('is taken back when the daemon confirms it after the time limit', async () => {
    await using world = await fakeWorld();
    const events = world.connection.domainEvents({ kinds: lifecycle, timeoutMs: 20 });

    await expect(events).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('20 ms') });
    world.calls[0]?.reply({ payload: (writer) => writer.int32(7) });

    await until(() => world.calls.length === 2);
    expect(world.calls[1]).toMatchObject({ header: { procedure: deregister }, payload: Buffer.from([0, 0, 0, 7]) });
  });

  it('is taken back when the daemon confirms it after the signal fired', async () => {
    await using world = await fakeWorld();
    const controller = new AbortController();
    const events = world.connection.domainEvents({ kinds: lifecycle, signal: controller.signal });
    await until(() => world.calls.length === 1);

    controller.abort(new Error('enough'));
    await expect(events).rejects.toMatchObject({ code: 'aborted', cause: { message: 'enough' } });
    world.calls[0]?.reply({ payload: (writer) => writer.int32(7) });

    await until(() => world.calls.length === 2);
    expect(world.calls[1]).toMatchObject({ header: { procedure: deregister }, payload: Buffer.from([0, 0, 0, 7]) });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('is taken back when the limit is the one of the connection', async () => {
    const taken: number[] = [];
    const held = Promise.withResolvers<(callbackID: number) => void>();
    await using world = await openChannel((call) => held.resolve((id) => call.reply({ payload: (w) => w.int32(id) })));
    const hub = new EventHub(() => undefined, { callTimeoutMs: 20 });
    const registration = {
      ...domainEvents.lifecycle,
      read: (reader: Parameters<typeof domainEvents.lifecycle.message.read>[0]) =>
        domainEvents.lifecycle.message.read(reader).payload,
      register: (options: object, onReply: (callbackID: number) => void) =>
        world.channel.call(procedures.connectDomainEventCallbackRegisterAny, { eventID: 0 }, options, onReply),
      deregister: async (callbackID: number) => void taken.push(callbackID),
    };

    await expect(hub.subscribe([registration], {})).rejects.toMatchObject({ code: 'timeout' });
    (await held.promise)(7);

    await until(() => taken.length > 0);
    expect(taken).toEqual([7]);
  });

  it('is not even asked for when the signal has fired already', async () => {
    await using world = await fakeWorld();

    const events = world.connection.domainEvents({ kinds: lifecycle, signal: AbortSignal.abort() });

    await expect(events).rejects.toMatchObject({ code: 'aborted' });
    expect(world.calls).toEqual([]);
  });

  it('names a time limit that is none', async () => {
    await using world = await fakeWorld();

    const events = world.connection.domainEvents({ kinds: lifecycle, timeoutMs: Number.NaN });

    await expect(events).rejects.toMatchObject({ code: 'invalid-arg', message: expect.stringContaining('timeoutMs') });
  });

  it('keeps the only place for the loss of the hypervisor until the daemon has answered', async () => {
    await using world = await fakeWorld();
    await expect(world.connection.hypervisorLostEvents({ timeoutMs: 20 })).rejects.toMatchObject({ code: 'timeout' });

    const tooEarly = world.connection.hypervisorLostEvents();
    await expect(tooEarly).rejects.toMatchObject({ code: 'operation-invalid' });
    world.calls[0]?.reply();
    await until(() => world.calls.length === 2);
    world.calls[1]?.reply();
    await world.roundTrip();
    const again = world.connection.hypervisorLostEvents();
    await until(() => world.calls.length === 3);
    world.calls[2]?.reply();

    await expect(again).resolves.toMatchObject({ skipped: [] });
    expect(world.calls.map(({ header }) => header.procedure)).toEqual([
      procedures.connectRegisterCloseCallback.number,
      procedures.connectUnregisterCloseCallback.number,
      procedures.connectRegisterCloseCallback.number,
    ]);
  });
});

it.each(['maxQueued', 'maxQueuedBytes'])('refuses a wrong %s before anything is asked for', async (field) => {
  await using world = await fakeWorld((call) => call.reply());

  const refused = world.connection.hypervisorLostEvents({ [field]: 0 });

  await expect(refused).rejects.toMatchObject({ code: 'invalid-arg', message: `${field}: must be more than 0, is 0` });
  await expect(world.connection.hypervisorLostEvents()).resolves.toMatchObject({ skipped: [] });
});

describe('the end of a subscription', () => {
  it('leaves no listener on the signal when the connection is lost', async () => {
    const { signal } = new AbortController();
    await using world = await fakeWorld((call) => call.reply({ payload: (writer) => writer.int32(7) }));
    const events = await world.connection.domainEvents({ kinds: lifecycle, signal });
    const before = getEventListeners(signal, 'abort').length;

    world.daemon.sockets[0]?.destroy();
    await expect(events.next()).rejects.toMatchObject({ code: 'connection-lost' });

    expect([before, getEventListeners(signal, 'abort').length]).toEqual([1, 0]);
  });

  it('takes all registrations back at once', async () => {
    const ends: FakeCall[] = [];
    await using world = await fakeWorld((call) => {
      if (call.header.procedure === register) call.reply({ payload: (writer) => writer.int32(eventIDOf(call)) });
      else if (ends.push(call) === 3) for (const end of ends) end.reply();
    });
    const events = await world.connection.domainEvents({ kinds: ['lifecycle', 'reboot', 'rtc-change'] });

    await events.return();

    expect(ends.map((call) => call.payload.readInt32BE(0))).toEqual([0, 1, 2]);
  });

  it('goes on after a registration that cannot be taken back, and throws what was wrong at first', async () => {
    const taken: number[] = [];
    await using world = await fakeWorld((call) => {
      const number = eventIDOf(call);
      if (call.header.procedure === deregister) taken.push(number);
      if (call.header.procedure === deregister && number === 0) call.fail(1, 'no');
      else if (number === 2) call.fail(38, 'out of luck');
      else call.reply(call.header.procedure === register ? { payload: (writer) => writer.int32(number) } : {});
    });

    const events = world.connection.domainEvents({ kinds: ['lifecycle', 'reboot', 'rtc-change'] });

    await expect(events).rejects.toMatchObject({ code: 'system-error', message: 'out of luck' });
    expect(taken).toEqual([0, 1]);
    expect(world.warnings).toMatchObject([
      { kind: 'failed-deregistration', message: expect.stringContaining('lifecycle'), cause: { message: 'no' } },
    ]);
  });

  it('does not wait for ever for a daemon that does not answer', async () => {
    const clock = new ManualClock();
    const ends: FakeCall[] = [];
    const handler = (call: FakeCall): void => {
      if (call.header.procedure === register) call.reply({ payload: (writer) => writer.int32(7) });
      else ends.push(call);
    };
    await using world = await fakeWorld(handler, { clock, keepalive: false });
    const events = await world.connection.domainEvents({ kinds: lifecycle });

    const leaving = events.return();
    await until(() => ends.length === 1);
    clock.advance(5000);

    await expect(leaving).resolves.toEqual({ done: true, value: undefined });
    expect(world.warnings).toMatchObject([{ kind: 'failed-deregistration', cause: { code: 'timeout' } }]);
  });
});

describe('a kind the daemon does not have', () => {
  it('is skipped with what the daemon said', async () => {
    await using daemon = await startTestDaemon();
    await using connection = await connect(daemon.uri);

    await using events = await connection.domainEvents();

    expect(events.skipReasons.at(-1)?.cause).toMatchObject({
      number: 1,
      domain: 'rpc',
      message: 'internal error: unsupported event ID 29',
    });
  });

  it.each([
    { domain: 'qemu', number: 10, message: 'internal error: cannot open monitor 1' },
    { domain: 'rpc', number: 7, message: 'internal error: too many callbacks, limit is 31' },
  ])('is not what another internal error of $domain means', async ({ number, message }) => {
    await using world = await fakeWorld((call) => {
      if (call.header.procedure === register && eventIDOf(call) === 1)
        call.reply({ status: messageStatus.error, payload: errorPayload(1, message, number) });
      else call.reply(call.header.procedure === register ? { payload: (writer) => writer.int32(7) } : {});
    });

    await expect(world.connection.domainEvents()).rejects.toMatchObject({ code: 'internal-error', message });
  });
});

describe('events that cannot be kept', () => {
  it('are counted in their place when more overtake the reply than fit into a megabyte', async () => {
    const sent = 15;
    await using world = await fakeWorld((call) => {
      for (let detail = 0; detail < sent; detail++) call.socket.write(lifecycleEvent(7, detail, 100_000));
      call.reply({ payload: (writer) => writer.int32(7) });
      call.socket.write(lifecycleEvent(7, sent));
    });

    const events = await world.connection.domainEvents({ kinds: lifecycle });

    const seen: unknown[] = [];
    for (let turn = 0; turn < 12; turn++) seen.push((await events.next()).value);
    expect(seen).toMatchObject([
      ...Array.from({ length: 10 }, (_, detail) => ({ detail })),
      { kind: 'overflow', dropped: 5 },
      { detail: sent },
    ]);
  });

  it('are counted in their place when they have more bytes together than may wait', async () => {
    await using world = await fakeWorld((call) => {
      call.reply({ payload: (writer) => writer.int32(7) });
      for (let detail = 0; detail < 5; detail++) call.socket.write(lifecycleEvent(7, detail, 100_000));
    });
    const events = await world.connection.domainEvents({ kinds: lifecycle, maxQueuedBytes: 250_000 });
    await world.roundTrip();

    const seen: unknown[] = [];
    for (let turn = 0; turn < 3; turn++) seen.push((await events.next()).value);

    expect(seen).toMatchObject([{ detail: 0 }, { detail: 1 }, { kind: 'overflow', dropped: 3 }]);
  });

  it('are counted in their place when they cannot be decoded, for a reader that waits as for one that comes later', async () => {
    const calls: FakeCall[] = [];
    await using world = await fakeWorld((call) => {
      calls.push(call);
      call.reply({ payload: (writer) => writer.int32(7) });
    });
    const events = await world.connection.domainEvents({ kinds: lifecycle });
    const waiting = events.next();

    world.daemon.send(Buffer.concat([brokenEvent(7), lifecycleEvent(7, 1), brokenEvent(7), lifecycleEvent(7, 2)]));

    const seen = [(await waiting).value];
    for (let turn = 0; turn < 3; turn++) seen.push((await events.next()).value);
    const missing = { kind: 'overflow', dropped: 1 };
    expect(seen).toMatchObject([missing, { detail: 1 }, missing, { detail: 2 }]);
  });
});

interface FakeWorld extends AsyncDisposable {
  readonly daemon: FakeDaemon;
  readonly connection: Connection;
  /** What was asked, where no handler was given. */
  readonly calls: FakeCall[];
  readonly warnings: LibvirtWarning[];
  /** What the daemon sent before is read when this resolves. */
  roundTrip(): Promise<unknown>;
}

async function fakeWorld(handler?: (call: FakeCall) => void, options: ConnectOptions = {}): Promise<FakeWorld> {
  const calls: FakeCall[] = [];
  const daemon = await FakeDaemon.listen(handler ?? ((call) => calls.push(call)));
  const warnings: LibvirtWarning[] = [];
  const connection = await connect(daemon.uri, { onWarning: (warning) => warnings.push(warning), ...options });
  return {
    daemon,
    connection,
    calls,
    warnings,
    roundTrip: () => connection.call(procedures.connectSupportsFeature, { feature: 1 }),
    [Symbol.asyncDispose]: async () => {
      connection.destroy();
      await daemon[Symbol.asyncDispose]();
    },
  };
}

function eventIDOf(call: FakeCall): number {
  return call.payload.readInt32BE(0);
}

function lifecycleEvent(callbackID: number, detail: number, nameLength = 3): Buffer {
  return buildMessage({
    type: messageType.message,
    procedure: eventMessages.domainEventCallbackLifecycle.number,
    payload: (writer) => {
      writer.int32(callbackID);
      writeDomain(writer, { name: 'x'.repeat(nameLength), uuid: '00000000-0000-4000-8000-000000000001', id: 1 });
      writer.int32(2);
      writer.int32(detail);
    },
  });
}

function brokenEvent(callbackID: number): Buffer {
  return buildMessage({
    type: messageType.message,
    procedure: eventMessages.domainEventCallbackLifecycle.number,
    payload: Buffer.from([0, 0, 0, callbackID, 0, 0]),
  });
}
