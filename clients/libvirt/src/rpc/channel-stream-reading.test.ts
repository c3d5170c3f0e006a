import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import { errorPayload, type MessageParts } from '../fake-daemon/build-message.ts';
import type { FakeCall } from '../fake-daemon/fake-daemon.ts';
import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { openChannel } from '../fake-daemon/open-channel.ts';
import { confirmStream, holePayload, sendData, sendPacket, textOf } from '../fake-daemon/stream-messages.ts';
import { until } from '../fake-daemon/turns.ts';
import { procedures } from '../generated/procedures.gen.ts';
import type { LibvirtStream } from '../libvirt-stream.ts';
import type { Channel } from './channel.ts';
import { messageStatus, messageType } from './message.ts';

const volume = { pool: 'default', name: 'disk', key: '/disk' };

describe('reading', () => {
  it('gives the packets in order, then confirms the end', async () => {
    const fromClient: FakeCall[] = [];
    await using world = await openChannel((call) => {
      fromClient.push(call);
      if (call.header.type === messageType.call) {
        call.reply();
        sendData(call, 'one');
        sendData(call, 'two');
        sendData(call, '');
      } else {
        confirmStream(call);
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
        confirmStream(call);
        return;
      }
      sendData(call, 'early');
      call.reply();
      sendData(call, 'late');
      sendData(call, '');
    });

    const stream = await download(world.channel);

    expect(await texts(stream)).toEqual(['early', 'late']);
  });

  it('gives holes by their length', async () => {
    await using world = await openChannel((call) => {
      if (call.header.type !== messageType.call) {
        confirmStream(call);
        return;
      }
      call.reply();
      sendData(call, 'data');
      sendPacket(call, { type: messageType.streamHole, status: messageStatus.continue, payload: holePayload(5n) });
      sendData(call, '');
    });

    const stream = await download(world.channel);

    const items = [];
    for await (const item of stream) items.push(item);
    expect(items).toEqual([Buffer.from('data'), { hole: 5n }]);
  });

  it('delivers what came before an error of the daemon, then throws it', async () => {
    await using world = await openChannel((call) => {
      call.reply();
      sendData(call, 'some');
      sendPacket(call, {
        type: messageType.stream,
        status: messageStatus.error,
        payload: errorPayload(38, 'disk broke'),
      });
    });
    const stream = await download(world.channel);
    const seen: string[] = [];

    const reading = (async () => {
      for await (const item of stream) seen.push(textOf(item));
    })();

    await expect(reading).rejects.toMatchObject({ code: 'system-error', message: 'disk broke' });
    expect(seen).toEqual(['some']);
    await expect(stream.finish()).rejects.toMatchObject({ code: 'system-error' });
    await stream.abort();
  });

  const malformed: [string, MessageParts][] = [
    ['a hole that is cut off', { type: messageType.streamHole, status: 2, payload: Buffer.alloc(3) }],
    ['a hole of negative length', { type: messageType.streamHole, status: 2, payload: holePayload(-1n) }],
    ['a confirmation that was not asked for', { type: messageType.stream, status: 0 }],
    ['an unknown status', { type: messageType.stream, status: 9 }],
    ['an error that is cut off', { type: messageType.stream, status: 1, payload: Buffer.alloc(2) }],
  ];

  it.each(malformed)('%s fails the stream, and the connection goes on', async (_, parts) => {
    await using world = await openChannel((call) => {
      if (call.header.procedure === procedures.connectGetHostname.number) call.reply({ payload: (w) => w.string('h') });
      if (call.header.type !== messageType.call || call.header.procedure === procedures.connectGetHostname.number)
        return;
      call.reply();
      sendPacket(call, parts);
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
        call.reply();
        sendData(call, 'one');
      } else {
        sendData(call, 'two');
        confirmStream(call);
        sendData(call, 'three');
      }
    });
    const stream = await download(world.channel);

    for await (const item of stream) {
      expect(textOf(item)).toBe('one');
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
          confirmStream(call);
          return;
        }
        call.reply();
        for (let number = 0; number < packets; number++) sendData(call, Buffer.alloc(262_120, number));
        sendData(call, '');
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
          call.reply();
          for (let number = 0; number < 64; number++) sendData(call, Buffer.alloc(262_120));
          sendData(call, '');
        } else confirmStream(call);
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
      call.reply();
      sendData(call, 'one');
      call.socket.end();
    });
    const stream = await download(world.channel);

    await expect(texts(stream)).rejects.toMatchObject({ code: 'connection-lost', procedure: 'storageVolDownload' });
  });

  it('ends when the signal fires, at once even if the daemon does not answer', async () => {
    const controller = new AbortController();
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) call.reply();
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

  it.each(['signal', 'time limit'])('is aborted at the daemon when its %s ended the wait for it', async (what) => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => void calls.push(call), { clock, keepalive: false });
    const opening = world.channel.openStream(
      procedures.storageVolDownload,
      { volume, offset: 0n, length: 0n },
      { timeoutMs: 100, signal: controller.signal },
    );
    await until(() => calls.length === 1);

    if (what === 'signal') controller.abort();
    else clock.advance(100);

    await expect(opening).rejects.toMatchObject({ code: what === 'signal' ? 'aborted' : 'timeout' });
    calls[0]?.reply();
    await until(() => calls.length === 2);
    expect(calls[1]?.header).toMatchObject({ ...calls[0]?.header, type: messageType.stream, status: 1 });
  });

  it('is aborted at the daemon once, when a packet overtakes the reply that nobody waits for', async () => {
    const controller = new AbortController();
    const packets: number[] = [];
    let opened: FakeCall | undefined;
    await using world = await openChannel((call) => {
      if (call.header.procedure === procedures.connectGetHostname.number) call.reply({ payload: (w) => w.string('h') });
      else if (call.header.type === messageType.call) opened = call;
      else {
        packets.push(call.header.status);
        confirmStream(call);
      }
    });
    const opening = world.channel.openStream(
      procedures.storageVolDownload,
      { volume, offset: 0n, length: 0n },
      { signal: controller.signal },
    );
    await until(() => opened !== undefined);
    controller.abort();
    await expect(opening).rejects.toMatchObject({ code: 'aborted' });

    if (opened !== undefined) sendData(opened, 'early');
    opened?.reply();
    if (opened !== undefined) sendData(opened, 'late');

    await until(() => packets.length > 0);
    await expect(world.channel.call(procedures.connectGetHostname, undefined)).resolves.toBe('h');
    expect(packets).toEqual([messageStatus.error]);
  });

  it('is aborted at the daemon when its packets came before the wait was given up', async () => {
    const controller = new AbortController();
    const packets: number[] = [];
    await using world = await openChannel((call) => {
      if (call.header.procedure === procedures.connectGetHostname.number) call.reply({ payload: (w) => w.string('h') });
      else if (call.header.type === messageType.call) sendData(call, 'early');
      else packets.push(call.header.status);
    });
    const opening = world.channel.openStream(
      procedures.storageVolDownload,
      { volume, offset: 0n, length: 0n },
      { signal: controller.signal },
    );
    await world.channel.call(procedures.connectGetHostname, undefined);

    controller.abort();

    await expect(opening).rejects.toMatchObject({ code: 'aborted' });
    await until(() => packets.length > 0);
    expect(packets).toEqual([messageStatus.error]);
  });

  it('is aborted at the daemon when the reply that opens it cannot be decoded', async () => {
    const packets: number[] = [];
    await using world = await openChannel((call) => {
      if (call.header.type === messageType.call) call.reply({ payload: Buffer.from([1, 2, 3, 4]) });
      else packets.push(call.header.status);
    });

    await expect(download(world.channel)).rejects.toMatchObject({ code: 'protocol' });

    await until(() => packets.length > 0);
    expect(packets).toEqual([messageStatus.error]);
  });

  it('gives no stream when the call fails', async () => {
    await using world = await openChannel((call) => call.fail(50, 'no such volume'));

    await expect(download(world.channel)).rejects.toMatchObject({ code: 'no-storage-vol' });
  });
});

async function download(channel: Channel): Promise<LibvirtStream> {
  const opened = await channel.openStream(procedures.storageVolDownload, { volume, offset: 0n, length: 0n });
  return opened.stream;
}

async function texts(stream: LibvirtStream): Promise<string[]> {
  const items: string[] = [];
  for await (const item of stream) items.push(textOf(item));
  return items;
}
