import { describe, expect, it } from 'vitest';

import { errorPayload } from '../fake-daemon/build-message.ts';
import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { openChannel } from '../fake-daemon/open-channel.ts';
import { confirmStream, holePayload, sendData, sendPacket, textOf } from '../fake-daemon/stream-messages.ts';
import { turns } from '../fake-daemon/turns.ts';
import { procedures } from '../generated/procedures.gen.ts';
import type { LibvirtStream } from '../libvirt-stream.ts';
import type { Channel } from './channel.ts';
import { messageStatus, messageType } from './message.ts';

const domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };
const volume = { pool: 'default', name: 'disk', key: '/disk' };

describe('writing', () => {
  it('cuts what is written into packets, and resolves finish when the daemon confirmed', async () => {
    const sizes: number[] = [];
    const received: Buffer[] = [];
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) call.reply();
      else if (call.header.status === messageStatus.ok) confirmStream(call);
      else {
        sizes.push(call.payload.length);
        received.push(Buffer.from(call.payload));
      }
    });
    const bytes = Buffer.alloc(600_000, 'abcdefg');
    const stream = await upload(world.channel);

    await stream.write(bytes);
    await stream.write(new Uint8Array(0));
    await stream.finish();

    expect(sizes).toEqual([262_120, 262_120, 75_760]);
    expect(Buffer.concat(received).equals(bytes)).toBe(true);
    await expect(stream.write(bytes)).rejects.toMatchObject({ code: 'operation-invalid' });
  });

  it('sends holes between the data, in order', async () => {
    const seen: unknown[] = [];
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) call.reply();
      else if (call.header.status === messageStatus.ok) confirmStream(call);
      else seen.push([call.header.type, call.payload.toString('latin1')]);
    });
    const stream = await upload(world.channel, 1);

    await stream.write(Buffer.from('a'));
    await stream.writeHole(258n);
    await stream.write(Buffer.from('b'));
    await stream.finish();

    expect(seen).toEqual([
      [messageType.stream, 'a'],
      [messageType.streamHole, holePayload(258n).toString('latin1')],
      [messageType.stream, 'b'],
    ]);
    await expect(stream.writeHole(0n)).rejects.toMatchObject({ code: 'operation-invalid' });
  });

  it('waits until the socket took the bytes', async () => {
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) call.reply();
    });
    const stream = await upload(world.channel);
    const [socket] = world.daemon.sockets;
    socket?.pause();
    let isTaken = false;
    const writing = stream.write(Buffer.alloc(32_000_000)).then(() => (isTaken = true));
    await turns(20);
    const isTakenWhilePaused = isTaken;

    socket?.resume();
    await writing;

    expect(isTakenWhilePaused).toBe(false);
  });

  it.each([
    ['with a packet', messageType.stream],
    // A daemon that cannot make a hole says so with a reply to the call that opened the stream.
    ['with a reply', messageType.reply],
  ])('learns that the daemon could not write, told %s', async (_, type) => {
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) call.reply();
      else sendPacket(call, { type, status: messageStatus.error, payload: errorPayload(38, 'no space left') });
    });
    const stream = await upload(world.channel);
    await stream.write(Buffer.from('too much'));

    const finishing = stream.finish();

    await expect(finishing).rejects.toMatchObject({ code: 'system-error', message: 'no space left' });
    await expect(stream.write(Buffer.from('more'))).rejects.toMatchObject({ code: 'system-error' });
  });

  it('fails a write that the socket never took', async () => {
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) call.reply();
    });
    const stream = await upload(world.channel);
    world.daemon.sockets[0]?.pause();
    const writing = stream.write(Buffer.alloc(32_000_000));

    world.daemon.sockets[0]?.resetAndDestroy();

    await expect(writing).rejects.toMatchObject({ code: 'connection-lost' });
  });

  it('fails a write that the socket does not take when the signal fires', async () => {
    const controller = new AbortController();
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) call.reply();
    });
    const stream = await upload(world.channel, 0, controller.signal);
    world.daemon.sockets[0]?.pause();
    const writing = stream.write(Buffer.alloc(32_000_000));

    controller.abort();

    await expect(writing).rejects.toMatchObject({ code: 'aborted' });
  });

  it('fails a finish that the daemon does not confirm when the signal fires', async () => {
    const controller = new AbortController();
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) call.reply();
    });
    const stream = await upload(world.channel, 0, controller.signal);
    const finishing = stream.finish();

    controller.abort(new Error('enough'));

    await expect(finishing).rejects.toMatchObject({ code: 'aborted', cause: { message: 'enough' } });
  });

  it('waits for a daemon that does not confirm an abort for five seconds at most', async () => {
    const clock = new ManualClock();
    await using world = await openChannel(
      (call) => {
        if (call.header.type === messageType.call) call.reply();
      },
      { clock, keepalive: false },
    );
    const stream = await upload(world.channel);
    let isOver = false;
    const aborting = stream[Symbol.asyncDispose]().then(() => (isOver = true));
    clock.advance(4999);
    await turns(5);
    const isOverBefore = isOver;

    clock.advance(1);
    await aborting;

    expect(isOverBefore).toBe(false);
    expect(clock.waiting).toBe(0);
  });

  it('refuses a hole that the daemon was not told of: that would end the connection', async () => {
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) call.reply();
    });
    const stream = await upload(world.channel);

    await expect(stream.writeHole(1n)).rejects.toMatchObject({ code: 'operation-invalid' });
  });

  it('refuses to write to a stream that can only be read', async () => {
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) call.reply();
    });
    const stream = await download(world.channel);

    await expect(stream.write(Buffer.from('x'))).rejects.toMatchObject({ code: 'operation-invalid' });
  });
});

it('carries a console in both directions at once', async () => {
  await using world = await openChannel((call) => {
    if (call.header.type === messageType.call) call.reply();
    else if (call.header.status === messageStatus.continue) sendData(call, call.payload.toString().toUpperCase());
    else confirmStream(call);
  });
  const { stream } = await world.channel.openStream(procedures.domainOpenConsole, { domain, flags: 0 });
  const echo: string[] = [];

  const reading = (async () => {
    for await (const item of stream) {
      echo.push(textOf(item));
      if (echo.length === 3) break;
    }
  })();
  for (const word of ['login', 'root', 'exit']) await stream.write(Buffer.from(word));
  await reading;

  expect(echo.join('')).toBe('LOGINROOTEXIT');
});

async function download(channel: Channel): Promise<LibvirtStream> {
  const opened = await channel.openStream(procedures.storageVolDownload, { volume, offset: 0n, length: 0n });
  return opened.stream;
}

async function upload(channel: Channel, flags: number = 0, signal?: AbortSignal): Promise<LibvirtStream> {
  const args = { volume, offset: 0n, length: 0n, flags };
  const options = signal === undefined ? {} : { signal };
  const opened = await channel.openStream(procedures.storageVolUpload, args, options);
  return opened.stream;
}
