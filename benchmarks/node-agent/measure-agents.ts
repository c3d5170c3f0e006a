import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { SmaltProgram } from '@smalt/bed-kubernetes';

import { readProcessCpu } from '../src/process-cpu.ts';
import { readPeakBytes, readProcessMemory } from '../src/process-memory.ts';
import type { AgentPlan } from './agent-plan.ts';
import type { AgentResult } from './agent-result.ts';
import type { AgentSource } from './agent-sources.ts';
import { startAgentWorld, type AgentWorld } from './agent-world.ts';
import { CountingProxy } from './counting-proxy.ts';
import { provokeEvents } from './provoke-events.ts';
import { runAgent } from './run-agent.ts';
import { tunedDomainXml } from './tuned-domain-xml.ts';
import { untilQuiet } from './until-quiet.ts';

const DEFINED_AT_ONCE = 50;
const STEPS_PER_CYCLE = 4;

export interface MeasureOptions {
  readonly plan: AgentPlan;
  /** What runs of ours. */
  readonly program: SmaltProgram;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Measures the agents one after the other, on the same daemon and the same API server. */
export async function measureAgents(
  sources: readonly AgentSource[],
  { plan, program, progress, signal }: MeasureOptions,
): Promise<readonly AgentResult[]> {
  await using world = await startAgentWorld(program, signal);
  const results: AgentResult[] = [];
  let defined = 0;
  for (const domains of plan.domainCounts) {
    await defineDomains(world, defined, domains);
    defined = domains;
    for (const source of sources) {
      progress(`${source.name} with ${domains} domains`);
      const direct = await measureDirectly(
        world,
        source,
        { domains, cycles: plan.cycles[source.name], settleMs: plan.settleMs },
        signal,
      );
      const counted = await countCalls(world, source, { domains, cycles: plan.countedCycles }, signal);
      results.push({ agent: source.name, domains, ...direct, ...counted });
    }
  }
  return results;
}

interface Amount {
  readonly domains: number;
  readonly cycles: number;
}

async function measureDirectly(
  world: AgentWorld,
  source: AgentSource,
  { domains, cycles, settleMs }: Amount & Pick<AgentPlan, 'settleMs'>,
  signal: AbortSignal,
): Promise<Pick<AgentResult, 'startMs' | 'residentBytes' | 'peakBytes' | 'eventMs' | 'cpuMsPerEvent'>> {
  const { socketPath } = world.host;
  await using agent = await runAgent(world, { source, socketPath, domains }, signal);
  const { pid, nodeName, startMs } = agent;
  const isQuiet = (): number => world.watch.quietMs;
  const warmUp = { nodeName, cycles: 1, isQuiet };
  await provokeEvents(world, warmUp, signal);
  const before = await readProcessCpu(pid);
  const eventMs = await provokeEvents(world, { ...warmUp, cycles }, signal);
  const cpuMsPerEvent = (((await readProcessCpu(pid)) - before) * 1_000) / eventMs.length;
  await delay(settleMs, undefined, { signal });
  const [{ residentBytes }, peakBytes] = await Promise.all([readProcessMemory(pid), readPeakBytes(pid)]);
  return { startMs, residentBytes, peakBytes, eventMs, cpuMsPerEvent };
}

async function countCalls(
  world: AgentWorld,
  source: AgentSource,
  { domains, cycles }: Amount,
  signal: AbortSignal,
): Promise<Pick<AgentResult, 'callsAtStart' | 'callsPerEvent'>> {
  const socketPath = join(world.folder, `proxy-${source.name}-${domains}`);
  await using proxy = await CountingProxy.start(socketPath, world.host.socketPath);
  await using agent = await runAgent(world, { source, socketPath, domains }, signal);
  const isQuiet = (): number => Math.min(proxy.quietMs, world.watch.quietMs);
  await untilQuiet(isQuiet, signal);
  const callsAtStart = proxy.calls;
  await provokeEvents(world, { nodeName: agent.nodeName, cycles, isQuiet }, signal);
  return { callsAtStart, callsPerEvent: (proxy.calls - callsAtStart) / (cycles * STEPS_PER_CYCLE) };
}

async function defineDomains({ libvirt }: AgentWorld, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += DEFINED_AT_ONCE) {
    const length = Math.min(DEFINED_AT_ONCE, to - first);
    const names = Array.from({ length }, (_, index) => `instance-${String(first + index).padStart(8, '0')}`);
    await Promise.all(names.map((name) => libvirt.domainDefineXml({ xml: tunedDomainXml(name) })));
  }
}
