import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { RunningApiServer } from '@smalt/bed-kubernetes';

import { BenchmarkError } from '../src/benchmark-error.ts';
import { PeerProcess } from '../src/peer-process.ts';
import { readProcessMemory } from '../src/process-memory.ts';
import { rotatePeers } from '../src/rotate-peers.ts';
import { MANY_CLIENTS, type ApiPlan } from './api-plan.ts';
import { ApiResults } from './api-result.ts';
import type { ServerName } from './api-server-name.ts';
import type { ServerSource } from './api-servers.ts';

const NODE = resolve(import.meta.dirname, '../../node_modules/.bin/node');

export interface MeasureContext {
  readonly plan: ApiPlan;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

interface Peer {
  readonly name: ServerName;
  readonly server: RunningApiServer;
  readonly load: PeerProcess;
}

/** Measures all servers, which take turns, and returns every sample. */
export async function measureServers(sources: readonly ServerSource[], context: MeasureContext): Promise<ApiResults> {
  const results = new ApiResults();
  await measureStarts(sources, results, context);
  await measureWatches(sources, results, context);
  await using owner = new AsyncDisposableStack();
  const peers: Peer[] = [];
  for (const source of sources) peers.push(await startPeer(source, owner, context.signal));
  context.progress('idle memory …');
  await delay(context.plan.settleMs, undefined, { signal: context.signal });
  for (const { name, server } of peers) results.add(name, 'idleBytes', await residentBytes(server));
  for (const { load } of peers) await load.ask('prepare', context.signal);
  await measureWrites(peers, results, context);
  await measureLists(peers, results, context);
  await measureController(peers, results, context);
  return results;
}

async function measureStarts(
  sources: readonly ServerSource[],
  results: ApiResults,
  { plan, progress, signal }: MeasureContext,
): Promise<void> {
  for (let round = 0; round < plan.startRounds; round++) {
    progress(`cold start, round ${round + 1} …`);
    for (const source of rotatePeers(sources, round)) {
      await using server = await source.start(signal);
      results.add(source.name, 'startMs', server.startMs);
    }
  }
}

async function startPeer(source: ServerSource, owner: AsyncDisposableStack, signal: AbortSignal): Promise<Peer> {
  const server = owner.use(await source.start(signal));
  const command = [NODE, join(import.meta.dirname, 'load-main.ts'), ...accessWords(server)];
  const load = owner.use(new PeerProcess(`load on ${source.name}`, command));
  await load.answer(signal);
  return { name: source.name, server, load };
}

function accessWords({ url, token, authority }: RunningApiServer): readonly string[] {
  return [url, token, authority.toString('utf8')];
}

async function residentBytes({ processes }: RunningApiServer): Promise<number> {
  const memories = await Promise.all(processes.map(({ pid }) => readProcessMemory(pid)));
  return memories.reduce((sum, { residentBytes: bytes }) => sum + bytes, 0);
}

async function measureWrites(peers: readonly Peer[], results: ApiResults, context: MeasureContext): Promise<void> {
  const { plan, progress } = context;
  // The first round only warms up, for all servers alike.
  for (let round = 0; round <= plan.writeRounds; round++) {
    progress(round === 0 ? 'writes, warming up …' : `writes, round ${round} …`);
    for (const peer of rotatePeers(peers, round)) {
      const samples = await measureWriteRound(peer, round, context);
      if (round > 0) samples.forEach((sample, quantity) => results.add(peer.name, quantity, sample));
    }
  }
}

async function measureWriteRound(
  { load }: Peer,
  round: number,
  { plan, signal }: MeasureContext,
): Promise<ReadonlyMap<string, number>> {
  const samples = new Map<string, number>();
  for (const kind of ['create', 'status'] as const) {
    const one = await load.ask(`${kind} ${plan.writes.one} 1 ${round}`, signal);
    const many = await load.ask(`${kind} ${plan.writes.many} ${MANY_CLIENTS} ${round}`, signal);
    samples.set(`${kind}1PerSecond`, numberOf(one, 'perSecond'));
    samples.set(`${kind}16PerSecond`, numberOf(many, 'perSecond'));
  }
  await load.ask('clear', signal);
  return samples;
}

/** One server at a time: the one that waits for its turn would take from the processors what the other is late by. */
async function measureWatches(
  sources: readonly ServerSource[],
  results: ApiResults,
  context: MeasureContext,
): Promise<void> {
  const { plan, progress } = context;
  for (let round = 0; round < plan.watchRounds; round++) {
    for (const source of rotatePeers(sources, round)) {
      progress(`watches on ${source.name}, round ${round + 1} …`);
      await using owner = new AsyncDisposableStack();
      const peer = await startPeer(source, owner, context.signal);
      await peer.load.ask('prepare', context.signal);
      // Only warms up.
      await measureWriteRound(peer, round, context);
      await measureWatchRound(peer, results, context);
    }
  }
}

async function measureWatchRound(
  { name, load }: Peer,
  results: ApiResults,
  { plan, signal }: MeasureContext,
): Promise<void> {
  const single = await load.ask(`watch ${plan.watch.events} ${plan.watch.perSecond}`, signal);
  requireAll(name, single);
  results.add(name, 'watchP50Ms', numberOf(single, 'p50Ms'));
  results.add(name, 'watchP99Ms', numberOf(single, 'p99Ms'));
  await load.ask('clear', signal);
  const { watchers, perSecond, seconds } = plan.fanOut;
  const many = await load.ask(`fan-out ${watchers} ${perSecond} ${seconds}`, signal);
  results.add(name, 'fanOutP50Ms', numberOf(many, 'p50Ms'));
  results.add(name, 'fanOutP99Ms', numberOf(many, 'p99Ms'));
  results.add(name, 'fanOutDelivered', numberOf(many, 'delivered') / numberOf(many, 'expected'));
}

async function measureLists(peers: readonly Peer[], results: ApiResults, context: MeasureContext): Promise<void> {
  const { plan, progress, signal } = context;
  for (const { name, server, load } of peers) {
    progress(`lists of ${plan.listedObjects} on ${name} …`);
    await load.ask(`seed ${plan.listedObjects} ${MANY_CLIENTS} 0`, signal);
    const answer = await load.ask(`list ${plan.lists}`, signal);
    if (numberOf(answer, 'items') !== plan.listedObjects)
      throw new BenchmarkError('unequal-work', `${name} listed ${String(answer['items'])} of ${plan.listedObjects}`);
    results.add(name, 'listP50Ms', numberOf(answer, 'p50Ms'));
    results.add(name, 'listedBytes', await residentBytes(server));
  }
}

async function measureController(
  peers: readonly Peer[],
  results: ApiResults,
  { plan, progress, signal }: MeasureContext,
): Promise<void> {
  const ours = peers.find(({ name }) => name === 'smalt');
  if (ours === undefined) return;
  progress(`a controller on ${plan.controllerObjects} objects …`);
  const missing = plan.controllerObjects - plan.listedObjects;
  await ours.load.ask(`seed ${missing} ${MANY_CLIENTS} ${plan.listedObjects}`, signal);
  const program = join(import.meta.dirname, 'controller-main.ts');
  const words = [...accessWords(ours.server), String(plan.controllerObjects)];
  await using controller = new PeerProcess('controller', [NODE, '--expose-gc', program, ...words]);
  const answer = await controller.answer(signal);
  for (const quantity of ['syncMs', 'reconciledMs', 'bytesPerObject'])
    results.add('smalt', quantity, numberOf(answer, quantity));
}

function requireAll(name: ServerName, answer: Readonly<Record<string, unknown>>): void {
  const [delivered, expected] = [numberOf(answer, 'delivered'), numberOf(answer, 'expected')];
  if (delivered !== expected)
    throw new BenchmarkError('unequal-work', `${name} delivered ${delivered} of ${expected} events to one watcher`);
}

function numberOf(answer: Readonly<Record<string, unknown>>, name: string): number {
  const value = answer[name];
  if (typeof value !== 'number') throw new BenchmarkError('peer-failed', `the answer has no number ${name}`);
  return value;
}
