import { checkEnd, isSettled } from './check-end.ts';
import { Dice } from './dice.ts';
import { drawHosts, drawSettings } from './draw-fleet.ts';
import { hostPath } from './network.ts';
import { People } from './people.ts';
import { Replica } from './replica.ts';
import { Scheduler } from './scheduler.ts';
import { readStorageMonitor, SimulatedAgents } from './simulated-agents.ts';
import { giveSign, isAwake } from './simulated-host.ts';
import { Stage, type Weakening } from './stage.ts';
import { Story } from './story.ts';
import { allTroubles, beginTrouble, type Trouble } from './troubles.ts';
import { World } from './world.ts';

const MINUTE = 60_000;
const TICK_MS = 5_000;
const VISIT_MS = 60_000;
/** How long everything works at most before the story ends. */
const CALM_MINUTES = 30;

export interface SeedOptions {
  /** Keeps every line of the story. */
  readonly isTold?: boolean;
  readonly weakening?: Weakening;
  /** Which troubles there are, and how often; all by default. */
  readonly troubles?: readonly (readonly [Trouble, number])[];
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
  readonly hash: string;
  readonly lines: readonly string[];
}

/** Plays the story of one seed from beginning to end. The same seed is the same story. */
export async function simulateSeed(seed: number, options: SeedOptions = {}): Promise<SeedReport> {
  const stage = setStage(seed, options);
  const agents = new SimulatedAgents(stage);
  const people = new People(stage, stage.dice.chance(0.5) || options.isBusy === true);
  startWorld(stage, agents);
  const calmAt = planTroubles(stage, agents, options.troubles ?? allTroubles);
  planVisits(stage, people);
  await stage.scheduler.run(calmAt);
  calmDown(stage);
  for (let minute = 1; minute <= CALM_MINUTES && (minute <= 2 || !isSettled(stage)); minute += 1) {
    await stage.scheduler.run(calmAt + minute * MINUTE);
  }
  checkEnd(stage, agents);
  for (const { process } of stage.replicas) process?.kill();
  return reportOf(seed, stage);
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
      `${host.name} in ${host.rack}: its BMC is ${host.bmc}${host.hasSecondBmc ? ', and there is a PDU' : ''}`,
    );
    for (let index = dice.between(1, 3); index > 0; index -= 1) {
      const metadata: Readonly<Record<string, string>> = dice.chance(0.05) ? { HA_Enabled: 'false' } : {};
      stage.nova.addServer(`vm-${host.name}-${index}`, host, dice.pick([1_024, 2_048, 4_096]), metadata);
    }
  }
  world.onBoot = (host) => scheduler.after(dice.between(5_000, 40_000), () => stage.nova.computeStarted(host));
  stage.store.onEntry = ({ kind, message }) => story.tell(`journal: ${kind}: ${message}`);
  const replicas = dice.pick([1, 1, 2, 3]);
  for (let index = 0; index < replicas; index += 1) stage.replicas.push(new Replica(`r${index + 1}`, stage));
  return stage;
}

/** What hosts and replicas do all the time, and in which nothing goes wrong by itself. */
function startWorld(stage: Stage, agents: SimulatedAgents): void {
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
    return 'on' as const;
  };
  tick();
  scheduler.every(TICK_MS, tick);
  for (const replica of stage.replicas) scheduler.after(dice.between(0, 5_000), () => replica.start());
}

/** Draws what goes wrong, and says when that is over. */
function planTroubles(
  stage: Stage,
  agents: SimulatedAgents,
  troubles: readonly (readonly [Trouble, number])[],
): number {
  const { scheduler, dice } = stage;
  let at = 2 * MINUTE;
  for (let count = dice.between(12, 24); count > 0; count -= 1) {
    at += dice.chance(0.3) ? dice.between(5, 40) * 1000 : dice.between(40, 160) * 1000;
    const kind = dice.weighted(troubles);
    scheduler.at(at, () => {
      stage.story.tell(`-- ${kind}`);
      beginTrouble(kind, stage, agents);
    });
  }
  return at + 4 * MINUTE;
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

function reportOf(seed: number, { store, story, nova }: Stage): SeedReport {
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
