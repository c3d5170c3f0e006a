import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLibvirtd } from '@smalt/libvirt-daemon';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { measurePeers } from './measure-peers.ts';
import { planMeasures } from './measures.ts';
import type { PeerName } from './peer-name.ts';
import { startPeer } from './start-peer.ts';

const NATIVE_HEADER = '/usr/include/libvirt/libvirt.h';

const owner = new AsyncDisposableStack();
let uri = '';

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'smalt-peers-'));
  owner.defer(() => rm(directory, { recursive: true, force: true }));
  const daemon = owner.use(await startLibvirtd({ directory, drivers: 'test', signal: inTime() }));
  uri = daemon.uri;
});

afterAll(() => owner.disposeAsync());

it.each(peersHere())('the peer "%s" does every measure on a real libvirtd', async (name) => {
  await using peers = new AsyncDisposableStack();
  const peer = await startPeer(name, uri, peers, inTime());
  const provoker = await startPeer('smalt', uri, peers, inTime());
  await provoker.process.ask('populate 5', inTime());

  const items: Record<string, readonly number[]> = {};
  for (const measure of planMeasures(true)) {
    const small = { ...measure, operations: 20, callers: Math.min(measure.callers, 5) };
    const answers = await measurePeers({ peers: [peer], provoker: provoker.process }, small, 1, inTime());
    items[measure.command || measure.kind] = (answers.get(name) ?? []).map((answer) => answer.items);
  }

  expect(items).toEqual({
    'version-serial': [20],
    'info-serial': [20],
    'version-pipelined': [20],
    'info-pipelined': [20],
    connect: [20],
    // Twenty calls, five domains, and two parameters of each: its state and the reason.
    stats: [200],
    events: [20],
  });
});

it.each(peersHere())('the peer "%s" refuses what it does not know and lives on', async (name) => {
  await using peers = new AsyncDisposableStack();
  const peer = await startPeer(name, uri, peers, inTime());

  const refused = peer.process.ask('dance 3', inTime());

  await expect(refused).rejects.toMatchObject({ code: 'peer-failed', message: expect.stringContaining('dance') });
  await expect(peer.process.ask('version-serial 1', inTime())).resolves.toMatchObject({ operations: 1 });
});

it('says why a peer cannot connect', async () => {
  await using peers = new AsyncDisposableStack();

  const started = startPeer('smalt', 'test+tcp://127.0.0.1:1/default', peers, inTime());

  await expect(started).rejects.toMatchObject({ code: 'peer-failed', message: expect.stringContaining('127.0.0.1:1') });
});

// Without libvirt-dev the C peer cannot be built, and the benchmark goes on without it.
function peersHere(): readonly PeerName[] {
  return existsSync(NATIVE_HEADER) ? ['smalt', 'c'] : ['smalt'];
}

function inTime(): AbortSignal {
  return AbortSignal.timeout(30_000);
}
