import type { SmaltProgram } from '@smalt/bed-kubernetes';

import { readProcessCpu } from '../src/process-cpu.ts';
import { readPeakBytes, readProcessMemory } from '../src/process-memory.ts';
import { hasCondition } from './fleet-watch.ts';
import { createHypervisors, createNodes, nodeNames, registerHosts } from './make-nodes.ts';
import type { OnboardingResult } from './operator-result.ts';
import type { OperatorSource } from './operator-sources.ts';
import { startOperatorWorld, type OperatorWorld } from './operator-world.ts';

const MOST_SECONDS = 1_800;

export interface OnboardingOptions {
  readonly source: OperatorSource;
  /** What the API server runs from. */
  readonly program: SmaltProgram;
  readonly nodes: number;
  readonly latencyMs: number;
}

/** Measures how long it takes until nodes that appear at once are all onboarded, with an operator that waits for them. */
export async function measureOnboarding(options: OnboardingOptions, signal: AbortSignal): Promise<OnboardingResult> {
  const { source, program, nodes, latencyMs } = options;
  const names = nodeNames(nodes);
  const prepare: Parameters<typeof startOperatorWorld>[0]['prepare'] =
    source.name === 'go' ? (client) => createHypervisors(client, names) : undefined;
  await using world = await startOperatorWorld({ source, program, latencyMs, prepare }, signal);
  const { client, watch, operatorPid } = world;
  await registerHosts(world, names);
  const apiCallsBefore = await world.apiCalls();
  const cpuBefore = await cpuTimes(world);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(MOST_SECONDS * 1_000)]);
  const began = performance.now();
  const half = watch.untilSeen(Math.ceil(nodes / 2), isOnboarded, deadline);
  const all = watch.untilSeen(nodes, isOnboarded, deadline);
  const created = createNodes(client, names, deadline).then(() => performance.now());
  const [createdAt, halfAt, allAt] = await Promise.all([created, half, all]);
  const [apiCalls, cloudCalls, cpu] = await Promise.all([world.apiCalls(), world.cloudCalls(), cpuTimes(world)]);
  const [{ residentBytes }, peakBytes] = await Promise.all([
    readProcessMemory(operatorPid),
    readPeakBytes(operatorPid),
  ]);
  return {
    operator: source.name,
    nodes,
    seconds: (allAt - began) / 1_000,
    halfSeconds: (halfAt - began) / 1_000,
    createdSeconds: (createdAt - began) / 1_000,
    apiCalls: apiCalls - apiCallsBefore,
    cloudCalls,
    cpuSeconds: cpu.operator - cpuBefore.operator,
    apiServerCpuSeconds: cpu.apiServer - cpuBefore.apiServer,
    cloudCpuSeconds: cpu.cloud - cpuBefore.cloud,
    residentBytes,
    peakBytes,
  };
}

interface CpuTimes {
  readonly operator: number;
  readonly apiServer: number;
  readonly cloud: number;
}

async function cpuTimes({ operatorPid, apiServerPid, cloudPid }: OperatorWorld): Promise<CpuTimes> {
  const [operator, apiServer, cloud] = await Promise.all([
    readProcessCpu(operatorPid),
    readProcessCpu(apiServerPid),
    readProcessCpu(cloudPid),
  ]);
  return { operator, apiServer, cloud };
}

function isOnboarded(hypervisor: Parameters<typeof hasCondition>[0]): boolean {
  return hasCondition(hypervisor, 'Onboarding', 'False', 'Succeeded');
}
