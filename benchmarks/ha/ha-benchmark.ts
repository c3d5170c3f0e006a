import { startPostgres } from '@smalt/bed-postgres';

import type { Benchmark, BenchmarkOptions, BenchmarkReport } from '../src/benchmark.ts';
import { machineFacts } from '../src/machine-facts.ts';
import { haFigures, LIMITS, TARGETS } from './figures.ts';
import { planHa, type HaPlan } from './ha-plan.ts';
import type { FloodResult, MasakariResult } from './ha-result.ts';
import { measureDecision } from './measure-decision.ts';
import { measureFleet } from './measure-fleet.ts';
import { measureFlood } from './measure-flood.ts';
import { measureMasakari } from './measure-masakari.ts';
import { measureRescue } from './measure-rescue.ts';
import { haTables } from './tables.ts';

const PROGRAM = 'bundle';

/** The HA service: what it takes in, what it costs, and how soon it helps. */
export const haBenchmark: Benchmark = {
  name: 'ha',
  summary: 'the HA service: telemetry stored, a fleet of 10,000 hosts, the decision, a host that dies',
  run: runHaBenchmark,
};

async function runHaBenchmark({ quick, progress }: BenchmarkOptions, signal: AbortSignal): Promise<BenchmarkReport> {
  const plan = planHa(quick);
  const floods = await measureFloods(plan, progress, signal);
  progress(`${plan.decision.hosts} hosts are judged`);
  const decision = measureDecision(plan.decision);
  progress('hosts die, one after the other');
  const rescue = await measureRescue({ program: PROGRAM, plan: plan.rescue }, signal);
  progress(`${plan.fleet.hosts} hosts report`);
  const fleet = await measureFleet({ program: PROGRAM, plan: plan.fleet }, signal);
  progress('notifications to masakari-api, where it is installed');
  const masakari = await measureMasakari(plan.masakari, signal);
  const results = { floods, fleet, decision, rescue, masakari };
  return {
    bench: 'ha',
    facts: machineFacts(),
    tables: haTables(results),
    notes: [...notesOf(plan, quick), masakariNote(plan, masakari)],
    figures: haFigures(results),
    targets: TARGETS,
    limits: LIMITS,
  };
}

async function measureFloods(
  { flood: plan }: HaPlan,
  progress: (line: string) => void,
  signal: AbortSignal,
): Promise<readonly FloodResult[]> {
  progress(`${plan.agents} agents send all they can, to SQLite`);
  const sqlite = await measureFlood({ program: PROGRAM, plan }, signal);
  progress('the same, to PostgreSQL');
  await using postgres = await startPostgres();
  return [sqlite, await measureFlood({ program: PROGRAM, plan, postgresUrl: postgres.url }, signal)];
}

function notesOf({ rescue, flood }: HaPlan, isQuick: boolean): readonly string[] {
  return [
    'the service is kept on one processor, agents on another; the API server, OpenStack and PostgreSQL are where they like',
    `telemetry: HTTPS that is kept alive, a token for each of ${flood.agents} agents, two records in a batch; an answer means that it is on disk`,
    'the fleet: the service leads and judges every second; an uptime report in each batch; leases of nodes are not renewed',
    `dying: power is off ${rescue.powerOffMs} ms after the order, a rebuild takes ${rescue.evacuationMs} ms, hosts are judged every 500 ms; the time runs from when agent and lease have been silent long enough`,
    ...(isQuick ? ['quick run: fewer hosts, so no figures of 10,000'] : []),
  ];
}

function masakariNote({ masakari: plan }: HaPlan, result: MasakariResult | undefined): string {
  if (result === undefined) return 'masakari-api is not measured: the Debian package of this name is not installed';
  const failed = result.answers.filter((status) => status >= 400);
  const words = failed.length === 0 ? '' : `; it answered with ${failed.join(', ')}, see benchmarks/README.md`;
  return `masakari-api: ${plan.senders} senders of notifications over plain HTTP, one worker, SQLite, no authentication${words}`;
}
