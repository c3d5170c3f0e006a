import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLibvirtd } from '@smalt/libvirt-daemon';
import type { Benchmark, BenchmarkOptions, BenchmarkReport } from '../src/benchmark.ts';
import { machineFacts } from '../src/machine-facts.ts';
import { libvirtFigures, TARGETS } from './figures.ts';
import { measurePeers } from './measure-peers.ts';
import { type MeasureResult, summarizeAnswers } from './measure-result.ts';
import { planMeasures } from './measures.ts';
import { watchMemory } from './peer-memory.ts';
import { type Peers, startPeers } from './start-peers.ts';
import { memoryTable, processorTable, speedTable } from './tables.ts';

const PREPARE_TIMEOUT_MS = 60_000;

// High enough that the daemon never makes a client wait for a place: 500 callers at most share a connection.
const LIMITS = { maxClients: 200, maxAnonymousClients: 200, maxClientRequests: 1_000 };

/** Our libvirt client beside libvirt's own in C and beside go-libvirt, all against one test-driver libvirtd. */
export const libvirtBenchmark: Benchmark = {
  name: 'libvirt',
  summary: 'libvirt clients: ours, libvirt in C, go-libvirt; one libvirtd with the test driver, TCP on loopback',
  run: runLibvirtBenchmark,
};

async function runLibvirtBenchmark(options: BenchmarkOptions, signal: AbortSignal): Promise<BenchmarkReport> {
  await using owner = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'smalt-bench-'));
  owner.defer(() => rm(directory, { recursive: true, force: true }));
  const daemon = owner.use(await startLibvirtd({ directory, drivers: 'test', limits: LIMITS, signal }));
  options.progress(`libvirtd serves ${daemon.uri}; building and starting the peers`);

  const started = await startPeers(daemon.uri, owner, signal);
  const memoryAfter = await watchMemory(started.peers);
  const results = await measureAll(started, options, signal);
  const memory = await memoryAfter();

  return {
    bench: 'libvirt',
    facts: [...machineFacts(), `clients: ${started.peers.map(({ version }) => version).join(', ')}`],
    tables: [speedTable(results, options.rounds), processorTable(results), memoryTable(memory)],
    notes: [...started.notes, ...explanations(options)],
    figures: libvirtFigures(results, memory),
    targets: TARGETS,
  };
}

async function measureAll(
  { peers, provoker }: Peers,
  { rounds, quick, progress }: BenchmarkOptions,
  signal: AbortSignal,
): Promise<readonly MeasureResult[]> {
  const results: MeasureResult[] = [];
  for (const measure of planMeasures(quick)) {
    progress(`${measure.title} …`);
    await provoker.ask(
      `populate ${measure.domains}`,
      AbortSignal.any([signal, AbortSignal.timeout(PREPARE_TIMEOUT_MS)]),
    );
    results.push(summarizeAnswers(measure, await measurePeers({ peers, provoker }, measure, rounds, signal)));
  }
  return results;
}

function explanations({ rounds, quick }: BenchmarkOptions): readonly string[] {
  return [
    `each peer is one process with one connection; they take turns, ${rounds} counted rounds after a longer one to warm up`,
    'callers share the connection, each waits for its own reply: async functions, threads in C, goroutines in Go',
    'events come from a further process of our client with 50 callers; the time is from the first to the last one seen',
    'serial_ is the geometric mean of two measures, pipelined_ of four; memory_idle_ compares PSS',
    ...(quick ? ['quick run: the spread is wider than in a full one'] : []),
  ];
}
