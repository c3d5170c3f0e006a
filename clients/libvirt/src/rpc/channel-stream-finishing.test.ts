import { describe, expect, it } from 'vitest';

import { buildMessage, errorPayload } from '../fake-daemon/build-message.ts';
import type { FakeCall } from '../fake-daemon/fake-daemon.ts';
import { openChannel } from '../fake-daemon/open-channel.ts';
import { confirmStream, sendData, textOf } from '../fake-daemon/stream-messages.ts';
import { until } from '../fake-daemon/turns.ts';
import { procedures } from '../generated/procedures.gen.ts';
import type { LibvirtStream } from '../libvirt-stream.ts';
import type { Channel } from './channel.ts';
import { messageStatus, messageType } from './message.ts';

const PACKET_BYTES = 262_120;
const PACKETS = 64;
const domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };
const volume = { pool: 'default', name: 'disk', key: '/disk' };

describe('finishing a stream', () => {
  it('comes to its end though nobody has read what the daemon sent', async () => {
    await using world = await openChannel(flood, { maxStreamBufferBytes: 1_000_000 });
    const console = await openConsole(world.channel);
    await until(() => world.channel.isPaused);

    await expect(console.finish()).resolves.toBeUndefined();

    expect(world.channel.isPaused).toBe(false);
  });

  it('leaves what arrived before to whoever reads', async () => {
    await using world = await openChannel((call) => {
      if (call.header.procedure === procedures.connectGetHostname.number) call.reply({ payload: (w) => w.string('h') });
      else if (call.header.type === messageType.call) {
        call.reply();
        sendData(call, 'login');
        sendData(call, 'root');
      } else confirmStream(call);
    });
    const console = await openConsole(world.channel);
    await world.channel.call(procedures.connectGetHostname, undefined);

    await console.finish();

    const texts: string[] = [];
    for await (const item of console) texts.push(textOf(item));
    expect(texts).toEqual(['login', 'root']);
  });

  it('comes to its end between two packets of another stream, which is full', async () => {
    await using world = await openChannel(flood, { maxStreamBufferBytes: 4_000_000 });
    const upload = await openUpload(world.channel);
    const download = await openDownload(world.channel);
    await until(() => world.channel.isPaused);

    let packets = 0;
    for await (const item of download) {
      if (item instanceof Uint8Array) packets++;
      if (packets === 1) await upload.finish();
    }

    expect(packets).toBe(PACKETS);
  });

  it('reads another stream no further than to its last limit, and waits until that is read', async () => {
    await using world = await openChannel(flood, { maxStreamBufferBytes: PACKET_BYTES });
    const upload = await openUpload(world.channel);
    const download = await openDownload(world.channel);
    await until(() => world.channel.isPaused);
    let isFinished = false;

    const finishing = upload.finish().then(() => (isFinished = true));
    const isReadOn = !world.channel.isPaused;
    await until(() => world.channel.isPaused);
    const isFinishedEarly = isFinished;
    for await (const item of download) expect(item).toBeInstanceOf(Uint8Array);
    await finishing;

    expect({ isReadOn, isFinishedEarly }).toEqual({ isReadOn: true, isFinishedEarly: false });
  });

  it('reads on no longer when it was given up', async () => {
    const controller = new AbortController();
    await using world = await openChannel(flood, { maxStreamBufferBytes: 1_000_000 });
    const upload = await openUpload(world.channel, controller.signal);
    await openDownload(world.channel);
    await until(() => world.channel.isPaused);

    const finishing = upload.finish();
    const isPausedMeanwhile = world.channel.isPaused;
    controller.abort();

    await expect(finishing).rejects.toMatchObject({ code: 'aborted' });
    expect([isPausedMeanwhile, world.channel.isPaused]).toEqual([false, true]);
  });
});

it('holds nobody up when it has failed and is left before all of it is read', async () => {
  await using world = await openChannel(
    (call) => {
      const data = { ...call.header, type: messageType.stream, status: messageStatus.continue };
      const packet = buildMessage({ ...data, payload: Buffer.alloc(5000) });
      const failure = buildMessage({ ...data, status: messageStatus.error, payload: errorPayload(38, 'disk broke') });
      const reply = buildMessage({ ...call.header, type: messageType.reply });
      if (call.header.type === messageType.call) call.socket.write(Buffer.concat([reply, packet, packet, failure]));
    },
    { maxStreamBufferBytes: 1000 },
  );
  const download = await openDownload(world.channel);

  for await (const item of download) {
    expect(item).toHaveLength(5000);
    break;
  }

  expect(world.channel.isPaused).toBe(false);
});

/** Sends more than anybody may keep on every stream but an upload, and confirms each end. */
function flood(call: FakeCall): void {
  if (call.header.type === messageType.call) {
    call.reply();
    if (call.header.procedure === procedures.storageVolUpload.number) return;
    for (let number = 0; number < PACKETS; number++) sendData(call, Buffer.alloc(PACKET_BYTES));
    sendData(call, '');
  } else if (call.header.status === messageStatus.ok) confirmStream(call);
}

async function openConsole(channel: Channel): Promise<LibvirtStream> {
  return (await channel.openStream(procedures.domainOpenConsole, { domain, flags: 0 })).stream;
}

async function openDownload(channel: Channel): Promise<LibvirtStream> {
  return (await channel.openStream(procedures.storageVolDownload, { volume, offset: 0n, length: 0n })).stream;
}

async function openUpload(channel: Channel, signal?: AbortSignal): Promise<LibvirtStream> {
  const options = signal === undefined ? {} : { signal };
  return (await channel.openStream(procedures.storageVolUpload, { volume, offset: 0n, length: 0n }, options)).stream;
}
