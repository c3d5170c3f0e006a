import { expect, it } from 'vitest';
import { type Answering, measurePeers } from './measure-peers.ts';
import { type Measure, planMeasures } from './measures.ts';
import type { PeerName } from './peer-name.ts';

it('lets the peers take turns and does not count the first round', async () => {
  const log: string[] = [];
  const peers = (['smalt', 'c', 'go'] as const).map((name) => peer(name, log));

  const answers = await measurePeers({ peers, provoker: silent(log) }, measure('serial_info'), 2, signal());

  expect(log).toEqual([
    ...['smalt', 'c', 'go'].map((name) => `${name}: info-serial 5000 1`),
    ...['c', 'go', 'smalt', 'go', 'smalt', 'c'].map((name) => `${name}: info-serial 1000 1`),
  ]);
  expect([...answers].map(([name, rounds]) => [name, rounds.length])).toEqual([
    ['smalt', 2],
    ['c', 2],
    ['go', 2],
  ]);
});

it('has events provoked only after the reader listens', async () => {
  const log: string[] = [];

  await measurePeers({ peers: [peer('smalt', log)], provoker: silent(log) }, measure('events'), 0, signal());

  expect(log).toEqual(['smalt: listen 15000', 'smalt: await-events', 'provoker: provoke 15000 50']);
});

it('refuses to compare peers that did not do the same', async () => {
  const peers = [peer('smalt', [], 100), peer('c', [], 99)];

  const measured = measurePeers({ peers, provoker: silent([]) }, measure('stats1000'), 1, signal());

  await expect(measured).rejects.toMatchObject({
    code: 'unequal-work',
    message: 'all domain stats, 1,000 domains: peers got 100 and 99 items',
  });
});

it('names the field of an answer that is not a number', async () => {
  const broken = { name: 'smalt', process: { ask: async () => ({ operations: 1, items: '1' }) } } as const;

  const measured = measurePeers({ peers: [broken], provoker: silent([]) }, measure('connect'), 1, signal());

  await expect(measured).rejects.toThrow('items: "1" is not a number of at least 0');
});

function peer(name: PeerName, log: string[], items: number = 1): { name: PeerName; process: Answering } {
  const answer = { operations: 10, items, seconds: 1, cpuSeconds: 0.5 };
  return { name, process: { ask: async (command) => (log.push(`${name}: ${command}`), answer) } };
}

function silent(log: string[]): Answering {
  return { ask: async (command) => (log.push(`provoker: ${command}`), {}) };
}

function measure(key: string): Measure {
  const found = planMeasures(false).find((candidate) => candidate.key === key);
  if (!found) throw new Error(`no measure ${key}`);
  return found;
}

function signal(): AbortSignal {
  return AbortSignal.timeout(10_000);
}
