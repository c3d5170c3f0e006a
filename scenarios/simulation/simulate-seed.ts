import type { TelemetryEvent } from '@smalt/ha-telemetry';

import { checkEnd, isCovered, isSettled } from './check-end.ts';
import { EventWatch } from './check-events.ts';
import { Dice } from './dice.ts';
import { drawHosts, drawSettings } from './draw-fleet.ts';
import { loseMains } from './host-troubles.ts';
import { FILLER, makeRoom } from './mend-nova.ts';
import { hostPath } from './network.ts';
import { People } from './people.ts';
import { RecoveryWatch } from './recovery-watch.ts';
import { Replica } from './replica.ts';
import { Scheduler } from './scheduler.ts';
import { readStorageMonitor, SimulatedAgents } from './simulated-agents.ts';
import { giveSign, isAwake } from './simulated-host.ts';
import { Stage, type Weakening } from './stage.ts';
import { Story } from './story.ts';
import { allTroubles, beginTrouble, companions, deadly, type TroubleTable } from './troubles.ts';
import { World } from './world.ts';

const MINUTE = 60_000;
const TICK_MS = 5_000;
const VISIT_MS = 60_000;
/** How long it is waited at most for an end: while things go wrong, and when nothing does any more. */
const TROUBLED_MS = 6 * MINUTE;
const CALM_MS = 30 * MINUTE;
const SETTLE_STEP_MS = 15_000;

export interface SeedOptions {
  /** Keeps every line of the story. */
  readonly isTold?: boolean;
  readonly weakening?: Weakening;
  /** Which troubles there are, and how often; all by default. */
  readonly troubles?: TroubleTable;
  /** Whether people use every switch there is, and not only repair; by chance by default. */
  readonly isBusy?: boolean;
}

/** What became of one seed. */
export interface SeedReport {
  readonly seed: number;
  readonly violations: readonly string[];
  /** The incidents by how they ended; those that have not, by what they wait for. */
  readonly fates: Readonly<Record<string, number>>;
  readonly incidents: number;
  readonly fences: number;
  readonly rebuilds: number;
  /** Hosts without power that were recovered with nothing in the way, and so within their bound. */
  readonly inTime: number;
  readonly hash: string;
  readonly lines: readonly string[];
}

/** Plays the story of one seed from beginning to end. The same seed is the same story. */
export async function simulateSeed(seed: number, options: SeedOptions = {}): Promise<SeedReport> {
  const stage = setStage(seed, options);
  const agents = new SimulatedAgents(stage);
  stage.world.onStart = (id, host) => agents.see(host, started(id));
  const people = new People(stage, stage.dice.chance(0.5) || options.isBusy === true);
  const recoveries = new RecoveryWatch(stage);
  const events = new EventWatch(stage);
  startWorld(stage, agents, () => {
    recoveries.look();
    events.look();
  });
  const calmAt = planTroubles(stage, agents, options.troubles ?? allTroubles);
  planVisits(stage, people);
  await stage.scheduler.run(calmAt);
  for (let death = stage.dice.between(3, 5); death > 0; death -= 1) {
    dieInTrouble(stage, agents, options.troubles ?? companions);
    await settle(stage, TROUBLED_MS);
  }
  calmDown(stage);
  await stage.scheduler.run(stage.scheduler.now + 2 * MINUTE);
  await settle(stage, CALM_MS);
  for (let death = stage.dice.between(1, 3); death > 0; death -= 1) {
    dieInPeace(stage);
    await settle(stage, CALM_MS);
  }
  checkEnd(stage, agents);
  events.check();
  for (const { process } of stage.replicas) process?.kill();
  return { ...reportOf(seed, stage), inTime: recoveries.inTime };
}

/** Waits until everything has come to its end, or should have. */
async function settle(stage: Stage, mostMs: number): Promise<void> {
  const until = stage.scheduler.now + mostMs;
  while (stage.scheduler.now < until && !isSettled(stage))
    await stage.scheduler.run(stage.scheduler.now + SETTLE_STEP_MS);
}

/** One host goes, and something else goes wrong while the service is at it. */
function dieInTrouble(stage: Stage, agents: SimulatedAgents, troubles: TroubleTable): void {
  const { scheduler, dice, story } = stage;
  beginTrouble(dice.pick(deadly), stage, agents);
  const kind = dice.weighted(troubles);
  scheduler.after(dice.between(10, 200) * 1000, () => {
    story.tell(`-- ${kind}`);
    beginTrouble(kind, stage, agents);
  });
}

/** One host loses its power while all the rest works: the service has to recover it, and within its bound. */
function dieInPeace(stage: Stage): void {
  const { world, nova, dice } = stage;
  const able = world.hosts.filter(
    (host) => isAwake(host) && !host.sharesPower && nova.hasRelevant(host.name) && isCovered(stage, host),
  );
  if (able.length > 0) loseMains(stage, dice.pick(able));
}

function setStage(seed: number, options: SeedOptions): Stage {
  const scheduler = new Scheduler();
  const story = new Story(() => scheduler.now, options.isTold ?? false);
  const dice = new Dice(seed);
  const hosts = drawHosts(dice);
  const world = new World(scheduler, dice, story, hosts);
  const stage = new Stage(world, drawSettings(dice, hosts), options.weakening ?? {});
  for (const host of hosts) {
    story.tell(
      `${host.name} in ${host.rack}: its BMC is ${host.bmc}${host.hasSecondBmc ? `, and there is a PDU${host.hasWrongOutlet ? ' on a wrong outlet' : ''}` : ''}`,
    );
  }
  fillHosts(stage);
  world.onBoot = (host) => scheduler.after(dice.between(5_000, 40_000), () => stage.nova.computeStarted(host));
  stage.store.onEntry = ({ kind, message }) => story.tell(`journal: ${kind}: ${message}`);
  const replicas = dice.pick([1, 1, 2, 3]);
  for (let index = 0; index < replicas; index += 1) stage.replicas.push(new Replica(`r${index + 1}`, stage));
  return stage;
}

/** The servers that there are: some stand still, some are nobody's care; and sometimes there is hardly any room. */
function fillHosts({ world, nova, dice, settings }: Stage): void {
  const reserved = settings.policy.segments.at(-1)?.reservedHosts ?? [];
  const isFull = dice.chance(0.15);
  for (const host of world.hosts) {
    if (reserved.includes(host.name)) {
      nova.service(host.name).isEnabled = false;
      continue;
    }
    let freeMiB = host.memoryMiB;
    for (let index = dice.between(1, 3); index > 0; index -= 1) {
      const metadata: Readonly<Record<string, string>> = dice.chance(0.05) ? { HA_Enabled: 'false' } : {};
      const memoryMiB = dice.pick([1_024, 2_048, 4_096]);
      nova.addServer({ id: `vm-${host.name}-${index}`, host, memoryMiB, metadata, isMeantOff: dice.chance(0.1) });
      freeMiB -= memoryMiB;
    }
    const fillerMiB = freeMiB - dice.between(0, 2) * 1_024;
    if (!isFull || fillerMiB <= 0) continue;
    const metadata = { HA_Enabled: 'false' };
    nova.addServer({ id: `${FILLER}${host.name}`, host, memoryMiB: fillerMiB, metadata, isMeantOff: false });
  }
}

/** What hosts and replicas do all the time, and in which nothing goes wrong by itself. */
function startWorld(stage: Stage, agents: SimulatedAgents, watch: () => void): void {
  const { scheduler, dice, world } = stage;
  let ticks = 0;
  const tick = () => {
    ticks += 1;
    for (const host of world.hosts) {
      if (isAwake(host) && world.network.isWhole(hostPath(host.name, 'storage')))
        giveSign(host, 'write', scheduler.now);
      if (ticks % 2 === 0) stage.nova.heartbeat(host);
      if (ticks % 2 === 1) stage.kubernetes.renewLease(host);
      if (ticks % 3 === 0) agents.report(host);
    }
    if (ticks % 4 === 0) readStorageMonitor(stage);
    for (const replica of stage.replicas) replica.look();
    watch();
    return 'on' as const;
  };
  tick();
  scheduler.every(TICK_MS, tick);
  for (const replica of stage.replicas) scheduler.after(dice.between(0, 5_000), () => replica.start());
}

/** Draws what goes wrong, and says when that is over. */
function planTroubles(stage: Stage, agents: SimulatedAgents, troubles: TroubleTable): number {
  const { scheduler, dice } = stage;
  let at = 2 * MINUTE;
  for (let count = dice.between(5, 12); count > 0; count -= 1) {
    at += dice.chance(0.3) ? dice.between(5, 30) * 1000 : dice.between(30, 120) * 1000;
    const kind = dice.weighted(troubles);
    scheduler.at(at, () => {
      stage.story.tell(`-- ${kind}`);
      beginTrouble(kind, stage, agents);
    });
  }
  return at + 2 * MINUTE;
}

function planVisits(stage: Stage, people: People): void {
  stage.scheduler.every(VISIT_MS, () => {
    people.visit();
    return 'on';
  });
}

/** Everything that people have to repair is repaired; one host at most stays dead, which the service has to recover. */
function calmDown(stage: Stage): void {
  const { world, kubernetes, story } = stage;
  story.tell('-- from here on nothing goes wrong');
  for (const path of world.network.cuts) while (!world.network.isWhole(path)) world.network.heal(path);
  stage.isCalm = true;
  makeRoom(stage);
  let dead = 0;
  for (const host of world.hosts) {
    host.bmc = 'honest';
    host.hasMains = true;
    host.isAgentRunning = true;
    world.thaw(host);
    if (!host.isBooted) dead += 1;
    if (!host.isBooted && dead > 1) world.boot(host);
    const { maintenance } = kubernetes.object(host.name);
    if (maintenance === 'manual' && !host.isBooted) world.boot(host);
  }
}

function reportOf(seed: number, { store, story, nova }: Stage): Omit<SeedReport, 'inTime'> {
  const incidents = [...store.incidents.values()];
  const fates: Record<string, number> = {};
  for (const { state, closedAt, wait } of incidents) {
    const fate = closedAt === undefined ? `waits: ${wait?.reason ?? 'for nothing'}` : state;
    fates[fate] = (fates[fate] ?? 0) + 1;
  }
  return {
    seed,
    violations: story.violations,
    fates,
    incidents: incidents.length,
    fences: incidents.reduce((sum, { fences }) => sum + fences.length, 0),
    rebuilds: nova.evacuations.filter(({ status }) => status === 'done' || status === 'completed').length,
    hash: story.hash,
    lines: story.lines,
  };
}

function started(id: string): TelemetryEvent {
  return { kind: 'lifecycle', domain: { uuid: id, name: id }, event: 'started', detail: 'booted' };
}
