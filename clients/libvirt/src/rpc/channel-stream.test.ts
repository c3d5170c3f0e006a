import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import { buildMessage, errorPayload, type MessageParts } from '../fake-daemon/build-message.ts';
import type { FakeCall } from '../fake-daemon/fake-daemon.ts';
import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { openChannel } from '../fake-daemon/open-channel.ts';
import { procedures } from '../generated/procedures.gen.ts';
import type { LibvirtStream } from '../libvirt-stream.ts';
import type { Channel } from './channel.ts';
import { messageStatus, messageType } from './message.ts';

const domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };
const volume = { pool: 'default', name: 'disk', key: '/disk' };

describe('reading', () => {
  it('gives the packets in order, then confirms the end', async () => {
    const fromClient: FakeCall[] = [];
    await using world = await openChannel((call) => {
      fromClient.push(call);
      if (call.header.type === messageType.call) {
        reply(call);
        packet(call, 'one');
        packet(call, 'two');
        packet(call, '');
      } else {
        confirm(call);
      }
    });

    const stream = await download(world.channel);

    expect(await texts(stream)).toEqual(['one', 'two']);
    expect(fromClient[1]?.header).toMatchObject({
      type: messageType.stream,
      status: messageStatus.ok,
      serial: fromClient[0]?.header.serial,
      procedure: procedures.storageVolDownload.number,
    });
  });

  it('loses no packet that lies behind the reply, or that overtakes it', async () => {
    await using world = await openChannel((call) => {
      if (call.header.type !== messageType.call) {
        confirm(call);
        return;
      }
      packet(call, 'early');
      reply(call);
      packet(call, 'late');
      packet(call, '');
    });

    const stream = await download(world.channel);

    expect(await texts(stream)).toEqual(['early', 'late']);
  });

  it('gives holes by their length', async () => {
    await using world = await openChannel((call) => {
      if (call.header.type !== messageType.call) {
        confirm(call);
        return;
      }
      reply(call);
      packet(call, 'data');
      send(call, { type: messageType.streamHole, status: messageStatus.continue, payload: hole(5n) });
      packet(call, '');
    });

    const stream = await download(world.channel);

    const items = [];
    for await (const item of stream) items.push(item);
    expect(items).toEqual([Buffer.from('data'), { hole: 5n }]);
  });

  it('delivers what came before an error of the daemon, then throws it', async () => {
    await using world = await openChannel((call) => {
      reply(call);
      packet(call, 'some');
      send(call, { type: messageType.stream, status: messageStatus.error, payload: errorPayload(38, 'disk broke') });
    });
    const stream = await download(world.channel);
    const seen: string[] = [];

    const reading = (async () => {
      for await (const item of stream) seen.push(String(item));
    })();

    await expect(reading).rejects.toMatchObject({ code: 'system-error', message: 'disk broke' });
    expect(seen).toEqual(['some']);
    await expect(stream.finish()).rejects.toMatchObject({ code: 'system-error' });
    await stream.abort();
  });

  const malformed: [string, MessageParts][] = [
    ['a hole that is cut off', { type: messageType.streamHole, status: 2, payload: Buffer.alloc(3) }],
    ['a hole of negative length', { type: messageType.streamHole, status: 2, payload: hole(-1n) }],
    ['a confirmation that was not asked for', { type: messageType.stream, status: 0 }],
    ['an unknown status', { type: messageType.stream, status: 9 }],
    ['an error that is cut off', { type: messageType.stream, status: 1, payload: Buffer.alloc(2) }],
  ];

  it.each(malformed)('%s fails the stream, and the connection goes on', async (_, parts) => {
    await using world = await openChannel((call) => {
      if (call.header.procedure === procedures.connectGetHostname.number) call.reply({ payload: (w) => w.string('h') });
      if (call.header.type !== messageType.call || call.header.procedure === procedures.connectGetHostname.number) return;
      reply(call);
      send(call, parts);
    });

    const stream = await download(world.channel);

    await expect(texts(stream)).rejects.toMatchObject({ code: 'protocol' });
    await expect(world.channel.call(procedures.connectGetHostname, undefined)).resolves.toBe('h');
  });

  it('aborts when the loop is left, and takes no notice of packets that are still on their way', async () => {
    const states: number[] = [];
    await using world = await openChannel((call) => {
      if (call.header.procedure === procedures.connectGetHostname.number) {
        call.reply({ payload: (writer) => writer.string('h') });
        return;
      }
      states.push(call.header.status);
      if (call.header.type === messageType.call) {
        reply(call);
        packet(call, 'one');
      } else {
        packet(call, 'two');
        confirm(call);
        packet(call, 'three');
      }
    });
    const stream = await download(world.channel);

    for await (const item of stream) {
      expect(String(item)).toBe('one');
      break;
    }
    await stream.abort();

    await expect(world.channel.call(procedures.connectGetHostname, undefined)).resolves.toBe('h');
    expect(states).toEqual([messageStatus.ok, messageStatus.error]);
  });

  it('stops reading the socket when nobody reads the stream, pings on, and goes on when somebody does', async () => {
    const clock = new ManualClock();
    const packets = 64;
    await using world = await openChannel(
      (call) => {
        if (call.header.type !== messageType.call) {
          confirm(call);
          return;
        }
        reply(call);
        for (let number = 0; number < packets; number++) send(call, data(Buffer.alloc(262_120, number)));
        packet(call, '');
      },
      { clock, maxStreamBufferBytes: 1_000_000, keepalive: { intervalMs: 100, count: 2 } },
    );
    world.daemon.answersPings = false;
    const stream = await download(world.channel);
    const [socket] = world.daemon.sockets;
    await until(() => (socket?.writableLength ?? 0) > 0 && world.channel.isPaused);
    const before = process.memoryUsage().arrayBuffers;

    for (let turn = 0; turn < 20; turn++) clock.advance(100);
    await until(() => world.daemon.pings === 20);

    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000);
    const numbers = [];
    for await (const item of stream) if (item instanceof Uint8Array) numbers.push(item[0]);
    const distinct = [...new Set(numbers)];
    expect(distinct).toEqual(Array.from({ length: packets }, (_, number) => number));
  });

  it('answers a call that is made between two packets of a full stream', async () => {
    await using world = await openChannel(
      (call) => {
        if (call.header.procedure === procedures.connectGetHostname.number) {
          call.reply({ payload: (writer) => writer.string('answered') });
        } else if (call.header.type === messageType.call) {
          reply(call);
          for (let number = 0; number < 64; number++) send(call, data(Buffer.alloc(262_120)));
          packet(call, '');
        } else confirm(call);
      },
      { maxStreamBufferBytes: 4_000_000 },
    );
    const stream = await download(world.channel);
    await until(() => world.channel.isPaused);

    const answers = [];
    for await (const item of stream) {
      if (item instanceof Uint8Array && answers.length < 3) {
        answers.push(await world.channel.call(procedures.connectGetHostname, undefined));
      }
    }

    expect(answers).toEqual(['answered', 'answered', 'answered']);
  });

  it('fails when the connection is lost', async () => {
    await using world = await openChannel((call) => {
      reply(call);
      packet(call, 'one');
      call.socket.end();
    });
    const stream = await download(world.channel);

    await expect(texts(stream)).rejects.toMatchObject({ code: 'connection-lost', procedure: 'storageVolDownload' });
  });

  it('ends when the signal fires, at once even if the daemon does not answer', async () => {
    const controller = new AbortController();
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) reply(call);
    });
    const { stream } = await world.channel.openStream(
      procedures.storageVolDownload,
      { volume, offset: 0n, length: 0n },
      { signal: controller.signal },
    );
    const reading = texts(stream);

    controller.abort();

    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
    await world[Symbol.asyncDispose]();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('gives no stream when the call fails', async () => {
    await using world = await openChannel((call) => call.fail(50, 'no such volume'));

    await expect(download(world.channel)).rejects.toMatchObject({ code: 'no-storage-vol' });
  });
});

describe('writing', () => {
  it('cuts what is written into packets, and resolves finish when the daemon confirmed', async () => {
    const sizes: number[] = [];
    const received: Buffer[] = [];
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) reply(call);
      else if (call.header.status === messageStatus.ok) confirm(call);
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
      if (call.header.type === messageType.call) reply(call);
      else if (call.header.status === messageStatus.ok) confirm(call);
      else seen.push([call.header.type, call.payload.toString('latin1')]);
    });
    const stream = await upload(world.channel, 1);

    await stream.write(Buffer.from('a'));
    await stream.writeHole(258n);
    await stream.write(Buffer.from('b'));
    await stream.finish();

    expect(seen).toEqual([
      [messageType.stream, 'a'],
      [messageType.streamHole, hole(258n).toString('latin1')],
      [messageType.stream, 'b'],
    ]);
    await expect(stream.writeHole(0n)).rejects.toMatchObject({ code: 'operation-invalid' });
  });

  it('waits until the socket took the bytes', async () => {
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) reply(call);
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
      if (call.header.type === messageType.call) reply(call);
      else send(call, { type, status: messageStatus.error, payload: errorPayload(38, 'no space left') });
    });
    const stream = await upload(world.channel);
    await stream.write(Buffer.from('too much'));

    const finishing = stream.finish();

    await expect(finishing).rejects.toMatchObject({ code: 'system-error', message: 'no space left' });
    await expect(stream.write(Buffer.from('more'))).rejects.toMatchObject({ code: 'system-error' });
  });

  it('fails a write that the socket never took', async () => {
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) reply(call);
    });
    const stream = await upload(world.channel);
    world.daemon.sockets[0]?.pause();
    const writing = stream.write(Buffer.alloc(32_000_000));

    world.daemon.sockets[0]?.resetAndDestroy();

    await expect(writing).rejects.toMatchObject({ code: 'connection-lost' });
  });

  it('refuses a hole that the daemon was not told of: that would end the connection', async () => {
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) reply(call);
    });
    const stream = await upload(world.channel);

    await expect(stream.writeHole(1n)).rejects.toMatchObject({ code: 'operation-invalid' });
  });

  it('refuses to write to a stream that can only be read', async () => {
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) reply(call);
    });
    const stream = await download(world.channel);

    await expect(stream.write(Buffer.from('x'))).rejects.toMatchObject({ code: 'operation-invalid' });
  });
});

it('carries a console in both directions at once', async () => {
  await using world = await openChannel((call) => {
    if (call.header.type === messageType.call) reply(call);
    else if (call.header.status === messageStatus.continue) packet(call, call.payload.toString().toUpperCase());
    else confirm(call);
  });
  const { stream } = await world.channel.openStream(procedures.domainOpenConsole, { domain, flags: 0 });
  const echo: string[] = [];

  const reading = (async () => {
    for await (const item of stream) {
      echo.push(String(item));
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

async function upload(channel: Channel, flags: number = 0): Promise<LibvirtStream> {
  const opened = await channel.openStream(procedures.storageVolUpload, { volume, offset: 0n, length: 0n, flags });
  return opened.stream;
}

async function texts(stream: LibvirtStream): Promise<string[]> {
  const items: string[] = [];
  for await (const item of stream) items.push(String(item));
  return items;
}

function reply(call: FakeCall): void {
  call.reply({});
}

function confirm(call: FakeCall): void {
  send(call, { type: messageType.stream, status: messageStatus.ok });
}

function packet(call: FakeCall, text: string): void {
  send(call, data(Buffer.from(text)));
}

function data(payload: Buffer): MessageParts {
  return { type: messageType.stream, status: messageStatus.continue, payload };
}

function send(call: FakeCall, parts: MessageParts): void {
  call.socket.write(buildMessage({ ...call.header, ...parts }));
}

function hole(length: bigint): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeBigInt64BE(length);
  return bytes;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turns(1);
}

async function turns(count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    await promise;
  }
}
