import type { SmaltProgram } from '@smalt/bed-kubernetes';
import type { SimulatorProcess } from '@smalt/bed-openstack-simulator';
import { hypervisorKind } from '@smalt/fleet-api';
import { isJsonArray } from '@smalt/json';

import { BenchmarkError } from '../src/benchmark-error.ts';
import { hasCondition } from './fleet-watch.ts';
import { createNodes, nodeNames, registerHosts } from './make-nodes.ts';
import { MoveWatch } from './move-watch.ts';
import type { DrainPlan } from './operator-plan.ts';
import type { DrainResult } from './operator-result.ts';
import type { OperatorSource } from './operator-sources.ts';
import { startOperatorWorld, type OperatorWorld } from './operator-world.ts';

const MOST_SECONDS = 1_200;
const MAINTENANCE = { spec: { maintenance: 'manual', maintenanceReason: 'a benchmark' } };

export interface DrainOptions {
  readonly source: OperatorSource;
  readonly program: SmaltProgram;
  readonly plan: DrainPlan;
  readonly latencyMs: number;
  /** How many may leave at a time; left out: what is so by default. */
  readonly limit: number | undefined;
}

/** Measures how long it takes to empty a host, from the change of its spec until it is said to be empty. */
export async function measureDrain(options: DrainOptions, signal: AbortSignal): Promise<DrainResult> {
  const { source, program, plan, latencyMs, limit } = options;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(MOST_SECONDS * 1_000)]);
  await using world = await startOperatorWorld({ source, program, latencyMs, moveLimit: limit }, deadline);
  const names = nodeNames(plan.targets + 1);
  await onboard(world, names, deadline);
  const [host = ''] = names;
  await world.cloud.tell('PUT', '/behaviour', { liveMigrationMs: plan.moveMs });
  await world.cloud.tell(
    'POST',
    '/servers',
    Array.from({ length: plan.servers }, () => ({ host })),
  );
  await world.cloud.tell('DELETE', '/calls');
  await using moves = new MoveWatch(world.cloud);
  const began = performance.now();
  const [emptyAt] = await Promise.all([
    world.watch.untilSeen(1, (each) => hasCondition(each, 'Evicting', 'False', 'Succeeded'), deadline),
    world.client.resource(hypervisorKind).patch(host, 'merge', MAINTENANCE),
  ]);
  const cloudCalls = await world.cloudCalls();
  await checkEmpty(world.cloud, host);
  const seconds = (emptyAt - began) / 1_000;
  return { limit, servers: plan.servers, seconds, mostMoves: moves.most, cloudCalls };
}

async function onboard(world: OperatorWorld, names: readonly string[], signal: AbortSignal): Promise<void> {
  await registerHosts(world, names);
  await Promise.all([
    world.watch.untilSeen(names.length, (each) => hasCondition(each, 'Onboarding', 'False', 'Succeeded'), signal),
    createNodes(world.client, names, signal),
  ]);
}

// A host that is said to be empty and is not would be the fastest of all.
async function checkEmpty(cloud: SimulatorProcess, host: string): Promise<void> {
  const left = await cloud.tell('GET', `/servers?host=${host}`);
  const count = isJsonArray(left) ? left.length : Number.NaN;
  if (count !== 0) throw new BenchmarkError('unequal-work', `${host} is said to be empty, and has ${count} servers`);
}
