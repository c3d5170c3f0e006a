import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import { buildMessage, type MessageParts } from '../fake-daemon/build-message.ts';
import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { openChannel } from '../fake-daemon/open-channel.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { messageStatus, messageType } from './message.ts';

const { connectGetHostname, connectGetLibVersion } = procedures;

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
    await expect(world.channel.call(connectGetLibVersion, undefined)).rejects.toMatchObject({
      code: 'connection-lost',
    });
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
