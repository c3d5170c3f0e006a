import { setTimeout as delay } from 'node:timers/promises';

import type { SmaltProgram } from '@smalt/bed-kubernetes';
import type { TestDaemon } from '@smalt/bed-libvirt';
import { virtualMachineInstanceKind, type VirtualMachineInstance } from '@smalt/vm-api';

import { endText } from './end-text.ts';
import { cpuShare, PAID } from './figures.ts';
import type { FleetPlan } from './fleet-plan.ts';
import type { FleetResult, FleetSample, RequestCount } from './fleet-result.ts';
import { startFleetWorld, type FleetWorld } from './fleet-world.ts';
import { keepSamples } from './keep-samples.ts';
import { churn, undrain } from './machines/churn.ts';
import { createMachines } from './machines/create-machines.ts';
import { inTime } from './measure/in-time.ts';
import { busyShare, readMachineTicks } from './measure/machine-load.ts';
import { ObjectCount } from './measure/object-count.ts';
import { readCosts, readCpu, type ProcessGroup } from './measure/process-costs.ts';
import { requestsBetween, watchesBetween } from './measure/read-server-metrics.ts';
import { formatSeconds } from '../src/format-quantity.ts';
import { SERVER_TITLES, type ServerName } from './server-name.ts';

const BRING_UP = { otherwise: 'the machines of its new hosts do not all run', limitMs: 900_000 };
const RETURN = { otherwise: 'its machines do not all run again after the window', limitMs: 300_000 };

export interface MeasureFleetOptions {
  readonly server: ServerName;
  readonly program: SmaltProgram;
  /** At least one for each host of the largest fleet. Their mock guests are gone once nobody is connected. */
  readonly daemons: readonly TestDaemon[];
  readonly plan: FleetPlan;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Lets one fleet grow on one server, and measures what it costs at each size. Never throws: a size that fails ends it, with
 * the samples of those before.
 */
export async function measureFleet(options: MeasureFleetOptions): Promise<FleetResult> {
  const { server, plan, progress, signal } = options;
  const result = await keepSamples({ server, sizes: plan.sizes, signal }, growFleet(options));
  if (result.end !== undefined) progress(endText(server, result.end));
  return result;
}

async function* growFleet(options: MeasureFleetOptions): AsyncGenerator<FleetSample> {
  const { server, plan, progress, signal } = options;
  await using world = await startFleetWorld(options);
  let from = 0;
  for (const hosts of plan.sizes) {
    progress(`${hosts} hosts with ${hosts * plan.machinesPerHost} machines on ${SERVER_TITLES[server]}`);
    const growth = await bringUp(world, options, { from, to: hosts });
    const each = formatSeconds(growth.broughtUpCpuSeconds / growth.broughtUpMachines);
    progress(`they run after ${growth.broughtUpSeconds.toFixed(0)} s, ${each} of CPU for each of the new ones`);
    await delay(plan.settleSeconds * 1_000, undefined, { signal });
    const sample = { ...(await watchFleet(world, options, hosts)), ...growth };
    progress(`${(cpuShare(sample, PAID) * 100).toFixed(0)} % of a processor`);
    yield sample;
    from = hosts;
  }
}

type BroughtUp = Pick<FleetSample, 'broughtUpSeconds' | 'broughtUpCpuSeconds' | 'broughtUpMachines'>;

async function bringUp(world: FleetWorld, options: MeasureFleetOptions, growth: Growth): Promise<BroughtUp> {
  const began = performance.now();
  const before = await readCpu(paid(world));
  await grow(world, options, growth);
  const after = await readCpu(paid(world));
  let cpuSeconds = 0;
  for (const [name, seconds] of after) cpuSeconds += seconds - (before.get(name) ?? 0);
  return {
    broughtUpSeconds: (performance.now() - began) / 1_000,
    broughtUpCpuSeconds: cpuSeconds,
    broughtUpMachines: (growth.to - growth.from) * options.plan.machinesPerHost,
  };
}

function paid(world: FleetWorld): readonly ProcessGroup[] {
  return world.groups().filter(({ part }) => PAID.includes(part));
}

interface Growth {
  readonly from: number;
  readonly to: number;
}

/**
 * Adds as many hosts as a process has, with their machines, then the next ones. Hosts have processors of their own: here
 * they share those of the server, which would have none left for anybody if all of them came at once.
 */
async function grow(world: FleetWorld, options: MeasureFleetOptions, { from, to }: Growth): Promise<void> {
  const step = options.plan.hostsPerProcess;
  for (let first = from; first < to; first += step) {
    const hosts = { from: first, to: Math.min(to, first + step) };
    await inTime(BRING_UP, options.signal, (signal) => addHosts(world, options, hosts, signal));
  }
}

async function addHosts(
  world: FleetWorld,
  { plan, daemons }: MeasureFleetOptions,
  { from, to }: Growth,
  signal: AbortSignal,
): Promise<void> {
  const { client } = world.server;
  await world.hosts.add(
    daemons.slice(from, to).map(({ hostname: name, uri }) => ({ name, uri })),
    signal,
  );
  await using running = new ObjectCount(client, virtualMachineInstanceKind, isRunning);
  const [first, end] = [from * plan.machinesPerHost, to * plan.machinesPerHost];
  await createMachines({ client, running, from: first, to: end, clients: plan.clients }, signal);
  await running.until(end, signal);
}

/** Measures a fleet that does what it does every day: heartbeats, some restarts, a drained host. */
async function watchFleet(
  world: FleetWorld,
  { plan, daemons, signal }: MeasureFleetOptions,
  hosts: number,
): Promise<Omit<FleetSample, keyof BroughtUp>> {
  const { server } = world;
  const { client } = server;
  const { windowSeconds: seconds, restartsPerMinute } = plan;
  const machines = hosts * plan.machinesPerHost;
  const drained = daemons[0]?.hostname ?? '';
  await world.checkRunning();
  const groups = world.groups();
  const [ticks, counters, cpu] = [await readMachineTicks(), await server.counters(signal), await readCpu(groups)];
  const began = performance.now();
  const turned = await churn({ client, drained, machines, seconds, restartsPerMinute }, signal);
  await world.checkRunning();
  const [cpuAfter, ticksAfter] = [await readCpu(groups), await readMachineTicks()];
  const countersAfter = await server.counters(signal);
  const took = (performance.now() - began) / 1_000;
  const costs = await readCosts(groups, cpu, cpuAfter);
  await returnToRest(world, { drained, machines }, signal);
  return {
    hosts,
    machines,
    seconds: took,
    restarts: turned.restarts,
    costs,
    requests: without(requestsBetween(counters, countersAfter), turned.ownRequests),
    watches: watchesBetween(counters, countersAfter),
    openWatches: countersAfter.openWatches,
    busyShare: busyShare(ticks, ticksAfter),
  };
}

/** Waits until every machine runs again: a fleet that loses some is not what was to be measured. */
async function returnToRest(
  { server: { client } }: FleetWorld,
  { drained, machines }: { readonly drained: string; readonly machines: number },
  signal: AbortSignal,
): Promise<void> {
  await undrain(client, drained, signal);
  await using running = new ObjectCount(client, virtualMachineInstanceKind, isRunning);
  await inTime(RETURN, signal, (until) => running.until(machines, until));
}

function isRunning({ metadata, status }: VirtualMachineInstance): boolean {
  return status?.phase === 'Running' && metadata.deletionTimestamp === undefined;
}

function without(requests: readonly RequestCount[], own: readonly RequestCount[]): readonly RequestCount[] {
  return requests.map(({ verb, resource, count }) => {
    const ours = own.find((each) => each.verb === verb && each.resource === resource);
    return { verb, resource, count: Math.max(0, count - (ours?.count ?? 0)) };
  });
}
