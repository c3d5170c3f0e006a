import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import { buildMessage, errorPayload, type MessageParts } from '../fake-daemon/build-message.ts';
import type { FakeCall } from '../fake-daemon/fake-daemon.ts';
import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { openChannel } from '../fake-daemon/open-channel.ts';
import { procedures } from '../generated/procedures.gen.ts';
import type { LibvirtWarning } from '../libvirt-warning.ts';
import { messageStatus, messageType } from './message.ts';

const { connectGetLibVersion, connectGetHostname, domainLookupByName } = procedures;

describe('calls', () => {
  it('gives each caller its own reply, in whatever order the replies come', async () => {
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => {
      calls.push(call);
      if (calls.length < 3) return;
      for (const late of calls.toReversed()) late.reply({ payload: version(late.header.serial) });
    });

    const versions = await Promise.all([1, 2, 3].map(() => world.channel.call(connectGetLibVersion, undefined)));

    expect(versions).toEqual([1n, 2n, 3n]);
  });

  it('sends all calls of one turn in one write', async () => {
    let answered = 0;
    let chunks = 0;
    await using world = await openChannel((call) => {
      answered++;
      call.reply({ payload: version(1) });
    });
    await world.channel.call(connectGetLibVersion, undefined);
    world.daemon.sockets[0]?.on('data', () => chunks++);

    await Promise.all(Array.from({ length: 100 }, () => world.channel.call(connectGetLibVersion, undefined)));

    expect({ answered, chunks }).toEqual({ answered: 101, chunks: 1 });
  });

  it('refuses arguments that cannot be sent, sends nothing of them, and goes on', async () => {
    await using world = await openChannel(answerVersion);

    const tooLong = world.channel.call(domainLookupByName, { name: 'x'.repeat(5_000_000) });

    await expect(tooLong).rejects.toMatchObject({
      code: 'invalid-arg',
      procedure: 'domainLookupByName',
      message: expect.stringContaining('name'),
    });
    await expect(world.channel.call(connectGetLibVersion, undefined)).resolves.toBe(7n);
  });

  it('refuses a call that passes file descriptors, and says why', async () => {
    await using world = await openChannel(answerVersion);

    const call = world.channel.call(procedures.domainCreateXmlWithFiles, { xml: '<domain/>' });

    await expect(call).rejects.toMatchObject({ code: 'unsupported', message: expect.stringContaining('descriptors') });
  });

  it('refuses a further call when too many wait for their reply', async () => {
    await using world = await openChannel(() => undefined, { maxPendingCalls: 2 });
    const waiting = [1, 2].map(() => world.channel.call(connectGetLibVersion, undefined));

    const further = world.channel.call(connectGetLibVersion, undefined);

    await expect(further).rejects.toMatchObject({ code: 'queue-full', procedure: 'connectGetLibVersion' });
    expect(world.channel.pendingCalls).toBe(2);
    await world.daemon[Symbol.asyncDispose]();
    await Promise.allSettled(waiting);
  });

  it('refuses a further call when too many bytes wait for the socket', async () => {
    await using world = await openChannel(() => undefined, { maxWaitingBytes: 1_000_000 });
    await connected(world.daemon);
    world.daemon.sockets[0]?.pause();
    const outcomes: Promise<unknown>[] = [];

    for (let turn = 0; turn < 20; turn++) {
      const call = world.channel.call(domainLookupByName, { name: 'x'.repeat(4_000_000) });
      outcomes.push(call.catch((error: unknown) => error));
    }

    await expect(outcomes.at(-1)).resolves.toMatchObject({ code: 'queue-full' });
    await world.daemon[Symbol.asyncDispose]();
    await expect(outcomes[0]).resolves.toMatchObject({ code: 'connection-lost' });
  });

  it('runs onReply before it looks at what lies behind the reply', async () => {
    const order: string[] = [];
    await using world = await openChannel(
      (call) => {
        const reply = buildMessage({ ...call.header, type: messageType.reply, payload: version(1) });
        const event = buildMessage({ type: messageType.message, procedure: 318, serial: 1 });
        call.socket.write(Buffer.concat([reply, event]));
      },
      { onEvent: () => order.push('event') },
    );

    await world.channel.call(connectGetLibVersion, undefined, {}, () => order.push('reply'));

    expect(order).toEqual(['reply', 'event']);
  });

  it('starts serials over, and leaves out those that are still in use', async () => {
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => calls.push(call), { firstSerial: 0xffff_fffe });
    const first = world.channel.call(connectGetLibVersion, undefined);
    const others = Array.from({ length: 3 }, () => world.channel.call(connectGetLibVersion, undefined));
    await sent(calls, 4);

    for (const call of calls) call.reply({ payload: version(call.header.serial) });

    await expect(first).resolves.toBe(0xffff_fffen);
    await expect(Promise.all(others)).resolves.toEqual([0xffff_ffffn, 1n, 2n]);
  });

  it('never takes an event for a reply, even if it carries the serial of a waiting call', async () => {
    const events: number[] = [];
    await using world = await openChannel(
      (call) => {
        call.socket.write(buildMessage({ ...call.header, type: messageType.message, procedure: 318 }));
        call.reply({ payload: version(5) });
      },
      { onEvent: (header) => events.push(header.procedure) },
    );

    await expect(world.channel.call(connectGetLibVersion, undefined)).resolves.toBe(5n);

    expect(events).toEqual([318]);
  });
});

describe('errors of the daemon', () => {
  it.each([
    { code: 42, message: 'Domain not found', expected: { code: 'no-domain', number: 42, domain: 'qemu' } },
    { code: 55, message: 'domain is not running', expected: { code: 'operation-invalid', number: 55 } },
    { code: 3, message: 'this function is not supported', expected: { code: 'unsupported', number: 3 } },
    { code: 39, message: 'unknown procedure: 456', expected: { code: 'unsupported', number: 39 } },
    { code: 39, message: 'something about RPC', expected: { code: 'rpc', number: 39 } },
    { code: 9999, message: 'from the future', expected: { code: 'unknown', number: 9999 } },
    { code: -1, message: 'odd', expected: { code: 'unknown', number: -1 } },
  ])('error $code, "$message", is $expected.code', async ({ code, message, expected }) => {
    await using world = await openChannel((call) => call.fail(code, message));

    const call = world.channel.call(connectGetHostname, undefined);

    await expect(call).rejects.toMatchObject({ ...expected, message, level: 'error', procedure: 'connectGetHostname' });
  });

  it('names a subsystem that is newer than the client by its number', async () => {
    await using world = await openChannel((call) =>
      call.reply({ status: messageStatus.error, payload: errorPayload(1, 'new', 999) }),
    );

    await expect(world.channel.call(connectGetHostname, undefined)).rejects.toMatchObject({ domain: '999' });
  });
});

describe('giving up', () => {
  it('fails a call whose time is over, and survives the reply that comes too late', async () => {
    const warnings: LibvirtWarning[] = [];
    const clock = new ManualClock();
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => calls.push(call), {
      clock,
      onWarning: (warning) => warnings.push(warning),
    });
    const slow = world.channel.call(connectGetHostname, undefined, { timeoutMs: 500 });
    await sent(calls, 1);

    clock.advance(500);

    await expect(slow).rejects.toMatchObject({
      code: 'timeout',
      procedure: 'connectGetHostname',
      message: expect.stringContaining('500 ms'),
    });
    calls[0]?.reply({ payload: (writer) => writer.string('late') });
    const next = world.channel.call(connectGetLibVersion, undefined);
    await sent(calls, 2);
    calls[1]?.reply({ payload: version(1) });
    await expect(next).resolves.toBe(1n);
    expect(warnings).toMatchObject([{ kind: 'late-reply' }]);
    expect(world.channel.warnings).toBe(1);
  });

  it('survives late replies to more abandoned calls than it can remember', async () => {
    const clock = new ManualClock();
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => calls.push(call), { clock, callTimeoutMs: 10 });
    const abandoned = Array.from({ length: 9000 }, () => world.channel.call(connectGetLibVersion, undefined));
    const outcomes = Promise.allSettled(abandoned);
    await sent(calls, 9000);
    clock.advance(10);
    await outcomes;

    for (const call of calls) call.reply({ payload: version(1) });
    const next = world.channel.call(connectGetHostname, undefined, { timeoutMs: 1000 });
    await sent(calls, 9001);
    calls[9000]?.reply({ payload: (writer) => writer.string('alive') });

    await expect(next).resolves.toBe('alive');
  });

  it('needs no timer for calls without a deadline, and one for many calls with the same', async () => {
    const clock = new ManualClock();
    await using world = await openChannel(answerVersion, { clock, keepalive: false });

    await Promise.all(Array.from({ length: 50 }, () => world.channel.call(connectGetLibVersion, undefined)));
    const without = clock.scheduled;
    await Promise.all(
      Array.from({ length: 50 }, () => world.channel.call(connectGetLibVersion, undefined, { timeoutMs: 100 })),
    );

    expect({ without, with: clock.scheduled }).toEqual({ without: 0, with: 1 });
  });

  it('fails only the calls whose own deadline has passed', async () => {
    const clock = new ManualClock();
    await using world = await openChannel(() => undefined, { clock, callTimeoutMs: 300 });
    const settled: string[] = [];
    for (const timeoutMs of [undefined, 100, 200]) {
      const call = world.channel.call(connectGetLibVersion, undefined, timeoutMs === undefined ? {} : { timeoutMs });
      call.catch(() => settled.push(String(timeoutMs)));
    }

    const afterEach: string[][] = [];
    for (let step = 0; step < 3; step++) {
      clock.advance(100);
      await Promise.resolve();
      afterEach.push([...settled]);
    }

    expect(afterEach).toEqual([['100'], ['100', '200'], ['100', '200', 'undefined']]);
  });

  it('gives up when the signal fires, and takes its listener off either way', async () => {
    const controller = new AbortController();
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => calls.push(call));
    const { signal } = controller;
    const answered = world.channel.call(connectGetLibVersion, undefined, { signal });
    const hanging = world.channel.call(connectGetLibVersion, undefined, { signal });
    await sent(calls, 2);
    calls[0]?.reply({ payload: version(1) });
    await answered;
    const listenersWhileWaiting = getEventListeners(signal, 'abort').length;

    controller.abort(new Error('changed my mind'));

    await expect(hanging).rejects.toMatchObject({ code: 'aborted', cause: { message: 'changed my mind' } });
    expect({ listenersWhileWaiting, afterwards: getEventListeners(signal, 'abort').length }).toEqual({
      listenersWhileWaiting: 1,
      afterwards: 0,
    });
  });

  it('does not send a call whose signal has fired already', async () => {
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => calls.push(call));

    const call = world.channel.call(connectGetLibVersion, undefined, { signal: AbortSignal.abort() });

    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(world.channel.pendingCalls).toBe(0);
    expect(calls).toEqual([]);
  });
});

describe('a daemon that breaks the protocol', () => {
  const bad: [string, MessageParts][] = [
    ['another version', { version: 2 }],
    ['an unknown program', { program: 0x1234_5678 }],
    ['an unknown type', { type: 9 }],
    ['a call', { type: messageType.call }],
    ['a reply with descriptors', { type: 5 }],
    ['a reply to a call that was never made', { serial: 77 }],
    ['a stream packet for a call that was never made', { serial: 77, type: messageType.stream, status: 2 }],
    ['a reply to another procedure', { procedure: 3 }],
    ['a reply with an unknown status', { status: 7 }],
    ['a length that is too small', { length: 27 }],
    ['a length that is too large', { length: 33_554_437 }],
  ];

  it.each(bad)('%s ends the connection, and the waiting call says what happened', async (_, parts) => {
    await using world = await openChannel((call) => call.reply({ payload: version(1), ...parts }));

    const call = world.channel.call(connectGetLibVersion, undefined, { timeoutMs: 5000 });

    await expect(call).rejects.toMatchObject({
      code: 'connection-lost',
      procedure: 'connectGetLibVersion',
      cause: { code: 'protocol' },
    });
    await expect(world.channel.closed).resolves.toMatchObject({ code: 'protocol' });
    await expect(world.channel.call(connectGetLibVersion, undefined)).rejects.toMatchObject({ code: 'connection-lost' });
  });

  const undecodable: [string, MessageParts][] = [
    ['an empty reply', { payload: Buffer.alloc(0) }],
    ['a reply that is cut off', { payload: Buffer.from([0, 0, 0, 200, 65]) }],
    ['a reply with bytes too many', { payload: Buffer.from([0, 0, 0, 1, 65, 0, 0, 0, 0, 0, 0, 1]) }],
    ['a string longer than libvirt allows', { payload: Buffer.from([0xff, 0xff, 0xff, 0xff]) }],
    ['an error that is cut off', { status: messageStatus.error, payload: Buffer.from([0, 0, 0, 1]) }],
  ];

  it.each(undecodable)('%s fails that call, and the connection goes on', async (_, parts) => {
    await using world = await openChannel((call) => {
      if (call.header.procedure === connectGetHostname.number) call.reply(parts);
      else call.reply({ payload: version(1) });
    });

    const call = world.channel.call(connectGetHostname, undefined);

    await expect(call).rejects.toMatchObject({ code: 'protocol', procedure: 'connectGetHostname' });
    await expect(world.channel.call(connectGetLibVersion, undefined)).resolves.toBe(1n);
  });
});

describe('a lost connection', () => {
  it('fails every waiting call when the daemon closes in the middle of a reply', async () => {
    await using world = await openChannel((call) => {
      const reply = buildMessage({ ...call.header, type: messageType.reply, payload: version(1) });
      call.socket.end(reply.subarray(0, 20));
    });

    const calls = [1, 2, 3].map(() => world.channel.call(connectGetLibVersion, undefined));

    for (const call of calls) {
      await expect(call).rejects.toMatchObject({ code: 'connection-lost', message: expect.stringContaining('closed') });
    }
    await expect(world.channel.closed).resolves.toMatchObject({ code: 'connection-lost' });
  });

  it('fails every waiting call when the connection is reset', async () => {
    await using world = await openChannel((call) => call.socket.resetAndDestroy());

    const call = world.channel.call(connectGetLibVersion, undefined);

    await expect(call).rejects.toMatchObject({ code: 'connection-lost', message: expect.stringContaining('RESET') });
  });

  it('lets nobody wait on a channel that was destroyed, and keeps no timer', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    await using world = await openChannel(() => undefined, { clock });
    const call = world.channel.call(connectGetLibVersion, undefined, { timeoutMs: 50, signal: controller.signal });

    await world[Symbol.asyncDispose]();

    await expect(call).rejects.toMatchObject({ code: 'closed' });
    expect(clock.waiting).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});

function version(value: number): (writer: { uint64(value: bigint): void }) => void {
  return (writer) => writer.uint64(BigInt(value));
}

function answerVersion(call: FakeCall): void {
  call.reply({ payload: version(7) });
}

async function connected(daemon: { readonly sockets: readonly unknown[] }): Promise<void> {
  while (daemon.sockets.length === 0) await turn();
}

async function sent(calls: readonly FakeCall[], count: number): Promise<void> {
  while (calls.length < count) await turn();
}

async function turn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  await promise;
}
