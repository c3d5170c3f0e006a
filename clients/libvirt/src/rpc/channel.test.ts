import { Duplex } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { buildMessage, errorPayload } from '../fake-daemon/build-message.ts';
import type { FakeCall } from '../fake-daemon/fake-daemon.ts';
import { openChannel } from '../fake-daemon/open-channel.ts';
import { turns, until } from '../fake-daemon/turns.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { LibvirtError } from '../libvirt-error.ts';
import { Channel } from './channel.ts';
import { keepaliveProgram, messageStatus, messageType } from './message.ts';

const { connectGetHostname, connectGetLibVersion, domainLookupByName } = procedures;
const NUMBER = connectGetHostname.number;

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
    await until(() => world.daemon.sockets.length > 0);
    world.daemon.sockets[0]?.pause();
    const outcomes: Promise<unknown>[] = [];

    for (let count = 0; count < 20; count++) {
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

  it('starts serials over at 1 when they run out', async () => {
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => calls.push(call), { firstSerial: 0xffff_fffe });
    const first = world.channel.call(connectGetLibVersion, undefined);
    const others = Array.from({ length: 3 }, () => world.channel.call(connectGetLibVersion, undefined));
    await until(() => calls.length >= 4);

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

it('queues no answers for a daemon that pings and never reads', async () => {
  const socket = new Duplex({ read: () => undefined, write: () => undefined });
  const channel = new Channel(socket, { onEvent: () => undefined, keepalive: false });
  const ping = buildMessage({ program: keepaliveProgram, procedure: 1, type: messageType.message });

  for (let chunk = 0; chunk < 100; chunk++) {
    socket.push(Buffer.concat(Array.from({ length: 1000 }, () => ping)));
    await turns(1);
  }

  expect(socket.writableLength).toBeGreaterThan(60_000);
  expect(socket.writableLength).toBeLessThan(70_000);
  channel.destroy(new LibvirtError('closed', 'the test is over'));
});

describe('errors of the daemon', () => {
  it.each([
    { code: 42, message: 'Domain not found', expected: { code: 'no-domain', number: 42, domain: 'qemu' } },
    { code: 55, message: 'domain is not running', expected: { code: 'operation-invalid', number: 55 } },
    { code: 3, message: 'this function is not supported', expected: { code: 'unsupported', number: 3 } },
    { code: 39, message: `unknown procedure: ${NUMBER}`, expected: { code: 'unsupported', number: 39 } },
    { code: 39, message: `不明なプロシージャー: ${NUMBER}`, expected: { code: 'unsupported', number: 39 } },
    { code: 39, message: `procédure inconnue : ${NUMBER}`, expected: { code: 'unsupported', number: 39 } },
    { code: 39, message: `unexpected length 1${NUMBER}`, expected: { code: 'rpc', number: 39 } },
    { code: 39, message: 'something about RPC', expected: { code: 'rpc', number: 39 } },
    { code: 38, message: `cannot open file ${NUMBER}`, expected: { code: 'system-error', number: 38 } },
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

function version(value: number): (writer: { uint64(value: bigint): void }) => void {
  return (writer) => writer.uint64(BigInt(value));
}

function answerVersion(call: FakeCall): void {
  call.reply({ payload: version(7) });
}
