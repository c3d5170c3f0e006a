import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startSmaltApiServer } from '@smalt/bed-kubernetes';
import { startTestDaemons, type TestDaemon } from '@smalt/bed-libvirt';
import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import { connect, DomainEventType } from '@smalt/libvirt';

import { PeerProcess } from '../src/peer-process.ts';
import { readProcessMemory } from '../src/process-memory.ts';
import { openClient } from './agent-world.ts';
import type { SwarmResult } from './agent-result.ts';
import { ObjectWatch } from '../src/object-watch.ts';
import { installKinds } from './install-kinds.ts';
import { LifecycleClock } from './lifecycle-clock.ts';
import type { MeasureOptions } from './measure-agents.ts';

const SEEN_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 60_000;
const PAUSE_MS = 50;
/** What libvirt's mock hypervisor comes with. */
const DOMAIN = 'test';

/** Runs many agents of ours, several per process, each with a daemon of its own and all on one API server. */
export async function measureSwarm({ plan, program, progress, signal }: MeasureOptions): Promise<SwarmResult> {
  const { agents, agentsPerProcess, events } = plan.swarm;
  await using owner = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'smalt-swarm-'));
  owner.defer(() => rm(folder, { recursive: true, force: true }));
  progress(`${agents} daemons`);
  const { daemons } = owner.use(await startTestDaemons(agents, { signal }));
  const api = owner.use(await startSmaltApiServer({ program, signal }));
  const client = owner.use(await openClient(api.kubeconfig));
  await installKinds(client, signal);
  const watch = owner.use(new ObjectWatch(client, hypervisorKind));
  progress(`${agents} agents`);
  const startedAt = performance.now();
  const processes = startProcesses(daemons, { agentsPerProcess, words: [api.kubeconfig, folder] }, owner);
  await Promise.all(processes.map((agent) => agent.answer(signal)));
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(SEEN_TIMEOUT_MS)]);
  const seen = await Promise.all(daemons.map(({ hostname }) => watch.until(hostname, isFilled, deadline)));
  const filledMs = Math.max(...seen) - startedAt;
  progress(`${events} events`);
  const eventMs = await provoke(daemons, { watch, events }, signal);
  const memories = await Promise.all(processes.map(({ pid }) => readProcessMemory(pid)));
  const residentBytes = memories.reduce((sum, memory) => sum + memory.residentBytes, 0);
  return { agents, filledMs, residentBytes, eventMs };
}

function startProcesses(
  daemons: readonly TestDaemon[],
  { agentsPerProcess, words }: { agentsPerProcess: number; words: readonly string[] },
  owner: AsyncDisposableStack,
): readonly PeerProcess[] {
  const count = Math.ceil(daemons.length / agentsPerProcess);
  return Array.from({ length: count }, (_, index) => {
    const own = daemons.slice(index * agentsPerProcess, (index + 1) * agentsPerProcess);
    const nodes = own.map(({ hostname, uri }) => `${hostname}=${uri}`);
    const command = [process.execPath, join(import.meta.dirname, 'swarm-main.ts'), ...words, ...nodes];
    return owner.use(new PeerProcess(`agents ${index}`, command, STOP_TIMEOUT_MS));
  });
}

function isFilled({ status }: Hypervisor): boolean {
  return status?.numInstances === 1 && status.capabilities?.cpus !== undefined;
}

/** Stops the domain of one daemon after the other, at a steady pace, and waits for all to show. */
async function provoke(
  daemons: readonly TestDaemon[],
  { watch, events }: { watch: ObjectWatch<Hypervisor>; events: number },
  signal: AbortSignal,
): Promise<readonly number[]> {
  const samples: Promise<number>[] = [];
  for (const daemon of daemons.slice(0, events)) {
    samples.push(stopOne(daemon, watch, AbortSignal.any([signal, AbortSignal.timeout(SEEN_TIMEOUT_MS)])));
    await delay(PAUSE_MS, undefined, { signal });
  }
  return Promise.all(samples);
}

async function stopOne(
  { uri, hostname }: TestDaemon,
  watch: ObjectWatch<Hypervisor>,
  signal: AbortSignal,
): Promise<number> {
  await using connection = await connect(uri);
  await using lifecycle = await LifecycleClock.start(connection);
  const domain = await connection.domainLookupByName({ name: DOMAIN });
  const event = lifecycle.next(DOMAIN, DomainEventType.stopped);
  const seen = watch.until(hostname, ({ status }) => status?.instances?.[0]?.active === false, signal);
  await connection.domainDestroy({ domain });
  const [eventAt, seenAt] = await Promise.all([event, seen]);
  return Math.max(0, seenAt - eventAt);
}
