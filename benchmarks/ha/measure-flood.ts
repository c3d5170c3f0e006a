import type { SmaltProgram } from '@smalt/bed-kubernetes';

import { BenchmarkError } from '../src/benchmark-error.ts';
import { readProcessCpu } from '../src/process-cpu.ts';
import { median } from '../src/sample-summary.ts';
import { hostNames } from './bench-agent.ts';
import type { FloodPlan } from './ha-plan.ts';
import type { FloodResult } from './ha-result.ts';
import { startHaWorld } from './ha-world.ts';
import { numberOf } from './number-of.ts';

export interface FloodOptions {
  readonly program: SmaltProgram;
  readonly plan: FloodPlan;
  readonly postgresUrl?: string | undefined;
}

/** Measures how many batches are stored in a second when agents send as fast as they are answered. */
export async function measureFlood(options: FloodOptions, signal: AbortSignal): Promise<FloodResult> {
  const { program, plan, postgresUrl } = options;
  await using world = await startHaWorld({ program, hosts: hostNames(plan.agents), postgresUrl }, signal);
  await using load = await world.startLoad(signal);
  await load.ask(`connect ${plan.agents}`, signal);
  // The first round only warms up.
  const warmUp = numberOf(await load.ask(`flood ${plan.seconds}`, signal), 'batches');
  const rounds: Readonly<Record<string, unknown>>[] = [];
  const cpuBefore = await readProcessCpu(world.servicePid);
  for (let round = 0; round < plan.rounds; round++) rounds.push(await load.ask(`flood ${plan.seconds}`, signal));
  const cpuSeconds = (await readProcessCpu(world.servicePid)) - cpuBefore;
  const measured = rounds.reduce((sum, round) => sum + numberOf(round, 'batches'), 0);
  const sent = plan.agents + warmUp + measured;
  const taken = await world.metric('smalt_ha_telemetry_batches_total');
  if (taken !== sent) throw new BenchmarkError('unequal-work', `${sent} batches were sent, and ${taken} counted`);
  const middle = (name: string): number => median(rounds.map((round) => numberOf(round, name)));
  return {
    store: postgresUrl === undefined ? 'sqlite' : 'postgres',
    agents: plan.agents,
    perSecond: middle('perSecond'),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    cpuSecondsPerBatch: cpuSeconds / measured,
  };
}
