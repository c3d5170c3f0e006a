import { connect, type Connection } from '@smalt/libvirt';
import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { ComingPeer } from './coming-peer.ts';

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startTestDaemon();
}, 30_000);

afterAll(() => daemon[Symbol.asyncDispose]());

it('is handed over once it is there, and belongs to whoever took it', async () => {
  const coming = new ComingPeer(daemon.uri, (signal) => connect(daemon.uri, { signal }));

  const peer = await coming.take(AbortSignal.timeout(10_000));
  await coming[Symbol.asyncDispose]();

  expect(await peer.connectGetLibVersion()).toBeGreaterThan(0n);
  await peer[Symbol.asyncDispose]();
});

it('is closed when nobody takes it', async () => {
  const opened = Promise.withResolvers<Connection>();
  const coming = new ComingPeer(daemon.uri, async (signal) => {
    const peer = await connect(daemon.uri, { signal });
    opened.resolve(peer);
    return peer;
  });
  const peer = await opened.promise;

  await coming[Symbol.asyncDispose]();

  expect(peer.reason).toBeDefined();
});

it('tells whoever takes it why it did not come', async () => {
  const coming = new ComingPeer(daemon.uri, () => Promise.reject(new Error('nobody is there')));

  await expect(coming.take(AbortSignal.timeout(10_000))).rejects.toThrow('nobody is there');
});

it('is opened anew when it did not come', async () => {
  let isBack = false;
  const coming = new ComingPeer(daemon.uri, async (signal) => {
    if (!isBack) throw new Error('nobody is there');
    return await connect(daemon.uri, { signal });
  });
  isBack = true;

  await using peer = await coming.take(AbortSignal.timeout(10_000));

  expect(peer.reason).toBeUndefined();
});

it('is opened anew when it was closed before anybody took it', async () => {
  const opened: Connection[] = [];
  const first = Promise.withResolvers<Connection>();
  const coming = new ComingPeer(daemon.uri, async (signal) => {
    const peer = await connect(daemon.uri, { signal });
    opened.push(peer);
    first.resolve(peer);
    return peer;
  });
  await (await first.promise)[Symbol.asyncDispose]();

  await using peer = await coming.take(AbortSignal.timeout(10_000));

  expect(peer.reason).toBeUndefined();
  expect(opened).toHaveLength(2);
});

it('is given up with the migration', async () => {
  const coming = new ComingPeer(daemon.uri, waitForEver);
  const giveUp = new AbortController();

  const taking = coming.take(giveUp.signal);
  giveUp.abort(new Error('enough'));

  await expect(taking).rejects.toThrow('enough');
});

async function waitForEver(signal: AbortSignal): Promise<Connection> {
  return await new Promise<Connection>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
