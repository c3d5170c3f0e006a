import type { Incident } from '@smalt/failure-detection';
import { runEngine, type EnginePorts } from '@smalt/ha-service';
import { messageOf, type Logger } from '@smalt/service-runtime';

import type { ActingReplica } from './acting-replica.ts';
import { Knowledge, type StoreRead } from './knowledge.ts';
import { createStorePort, type StoreAccess } from './memory-store.ts';
import { servicePath } from './network.ts';
import { createNovaPort } from './nova-port.ts';
import { ClusterWatch } from './simulated-kubernetes.ts';
import { createPowerPort } from './simulated-power.ts';
import { SimulatedProcess } from './simulated-process.ts';
import type { Stage } from './stage.ts';
import { WALL_START_MS } from './true-time.ts';
import { watchEvacuation, watchOrder, watchPowerOff } from './watch-deeds.ts';

const RENEW_DEADLINE_MS = 10_000;
const LEASE_DURATION_MS = 15_000;
const SILENCE_MS = 65_000;

/** One replica of the service over its whole life: it is started, leads or follows, is killed, and is started again. */
export class Replica implements ActingReplica {
  readonly name: string;
  readonly #stage: Stage;
  #process: SimulatedProcess | undefined;
  #watch: ClusterWatch | undefined;
  #knowledge = new Knowledge();
  #leading: AbortController | undefined;
  #runs = 0;
  #ids = 0;
  #renewedAt = 0;
  #wallRenewedAt = 0;
  /** When its engine began to lead, and when it last went on after it had stood still. */
  leadsSince = 0;
  wokeAt: number | undefined;
  /** How far its wall clock is off at its next start. */
  clockErrorMs = 0;

  constructor(name: string, stage: Stage) {
    this.name = name;
    this.#stage = stage;
  }

  get process(): SimulatedProcess | undefined {
    return this.#process;
  }

  /** What the engine that leads now can know at the latest. */
  get knowledge(): Knowledge {
    return this.#knowledge;
  }

  get watch(): ClusterWatch | undefined {
    return this.#watch;
  }

  get isLeading(): boolean {
    return this.#leading !== undefined && this.#process?.isDead === false;
  }

  start(): void {
    this.#runs += 1;
    const name = `${this.name}.${this.#runs}`;
    const clockOffsetMs = WALL_START_MS + this.clockErrorMs;
    const world = this.#stage.world;
    this.#process = new SimulatedProcess({
      name,
      scheduler: world.scheduler,
      dice: world.dice,
      network: world.network,
      story: world.story,
      clockOffsetMs,
    });
    this.#leading = undefined;
    this.wokeAt = undefined;
    this.#watch = this.#createWatch(this.#process);
    this.#watch.refresh();
    world.story.tell(`${name} starts`);
    this.#elect(this.#process);
  }

  /** Kills it, and starts it again after a while. */
  kill(why: string, downMs: number): void {
    const process = this.#process;
    if (process === undefined || process.isDead) return;
    this.#stage.story.tell(`${process.name} is killed: ${why}`);
    process.kill();
    this.#leading = undefined;
    this.#stage.scheduler.after(downMs, () => {
      if (this.#process === process) this.start();
    });
  }

  /** It stands still for a while, and goes on as if nothing had happened. */
  stall(forMs: number): void {
    const process = this.#process;
    if (process === undefined || !process.isRunning) return;
    this.#stage.story.tell(`${process.name} stands still for ${Math.round(forMs / 1000)} s`);
    process.stall();
    this.#stage.scheduler.after(forMs, () => {
      if (process.isDead) return;
      this.#stage.story.tell(`${process.name} goes on`);
      // Whoever stood still for that long has missed so much that living hosts look dead.
      if (forMs >= SILENCE_MS) this.wokeAt = this.#stage.scheduler.now;
      process.wake();
    });
  }

  /** Looks at the cluster again. */
  look(): void {
    this.#watch?.refresh();
  }

  #createWatch(process: SimulatedProcess): ClusterWatch {
    const { kubernetes, world } = this.#stage;
    const { scheduler } = world;
    const observer = {
      onView: (pictureAt: number) => this.#knowledge.view(pictureAt, scheduler.now),
      onMark: (host: string) => this.#knowledge.mark(host, scheduler.now),
      onLoss: () => this.#knowledge.blind(scheduler.now),
    };
    return new ClusterWatch({ kubernetes, world, process, replica: this.name, observer });
  }

  /** Somebody sets the clock of its machine; whoever goes by it begins to watch anew. */
  setWallClock(errorMs: number): void {
    if (this.#process === undefined || this.#process.isDead) return;
    this.#stage.story.tell(`the wall clock of ${this.#process.name} is off by ${errorMs} ms`);
    this.#process.setWallClock(errorMs);
    if (Math.abs(errorMs) > 5_000) this.wokeAt = this.#stage.scheduler.now;
  }

  /** Whether agents and monitors can hand something to it that is stored. */
  get isReceiving(): boolean {
    const { network } = this.#stage.world;
    const isStored = !this.#stage.storeServer.isDown && network.isWhole(servicePath(this.name, 'store'));
    return this.#process?.isRunning === true && isStored;
  }

  #elect(process: SimulatedProcess): void {
    const { scheduler, dice } = this.#stage.world;
    if (process.isDead || this.#process !== process) return;
    // One that stands still does not hear of its lease either; what it was waiting for comes to it first.
    if (process.isRunning) this.#renew(process);
    scheduler.after(dice.between(1_500, 3_000), () => this.#elect(process));
  }

  #renew(process: SimulatedProcess): void {
    const { lease, kubernetes, world } = this.#stage;
    const { now } = world.scheduler;
    const isReached = !kubernetes.isDown && world.network.isWhole(servicePath(this.name, 'kubernetes'));
    const isFree = lease.holder === undefined || now - lease.renewedAt > LEASE_DURATION_MS;
    const isMine = lease.holder === process.name;
    if (isReached && (isMine || isFree)) {
      lease.holder = process.name;
      lease.renewedAt = now;
      this.#renewedAt = now;
      this.#wallRenewedAt = process.wallNow();
      if (this.#leading === undefined) this.#lead(process);
      return;
    }
    const isLost = isReached ? !isMine : now - this.#renewedAt > RENEW_DEADLINE_MS;
    if (isLost && this.#leading !== undefined) this.#stop(process, 'it has lost the lease');
  }

  /** What it can tell by its own clocks alone. */
  #holdsLease(process: SimulatedProcess): boolean {
    const ageMs = this.#stage.scheduler.now - this.#renewedAt;
    const wallAgeMs = process.wallNow() - this.#wallRenewedAt;
    return this.#process === process && Math.max(ageMs, wallAgeMs) < RENEW_DEADLINE_MS;
  }

  #stop(process: SimulatedProcess, why: string): void {
    this.#stage.story.tell(`${process.name} stops to lead: ${why}`);
    this.#stage.scheduler.answered();
    const leading = this.#leading;
    this.#leading = undefined;
    leading?.abort(new Error(why));
  }

  #lead(process: SimulatedProcess): void {
    const { story, scheduler, weakening } = this.#stage;
    const leading = new AbortController();
    this.#leading = leading;
    this.#knowledge = new Knowledge();
    this.leadsSince = scheduler.now;
    story.tell(`${process.name} leads`);
    scheduler.answered();
    const ports = this.#ports(process);
    const ended = (how: string) => {
      if (leading.signal.aborted || process.isDead) return;
      story.tell(`the engine of ${process.name} ended: ${how}`);
      this.kill('its engine has ended', 5_000);
    };
    runEngine(weakening.ports?.(ports, this.#stage, process) ?? ports, () => this.#stage.settings, leading.signal).then(
      () => ended('without a word'),
      (error: unknown) => {
        if (isBug(error)) story.violate(`the engine failed: ${messageOf(error)} ${stackOf(error)}`);
        ended(messageOf(error));
      },
    );
  }

  #ports(process: SimulatedProcess): EnginePorts {
    const { world, nova, store, story } = this.#stage;
    const stage = this.#stage;
    const { scheduler } = stage;
    const knowledge = this.#knowledge;
    const options = { world, process, replica: this.name };
    return {
      clock: process.clock,
      store: createStorePort(store, this.#storeAccess(process)),
      compute: createNovaPort({
        ...options,
        nova,
        onOrder: (what) => watchOrder(stage, this, what),
        onEvacuate: (id, target) => watchEvacuation(stage, this, id, target),
        onList: (effectAt) => knowledge.hearCompute(effectAt, scheduler.now),
        onFacts: (fact, host, effectAt) => knowledge.hearFacts(fact, host, effectAt),
      }),
      cluster: (this.#watch ?? this.#createWatch(process)).port,
      sources: sourcesOf(stage, process),
      power: createPowerPort({ ...options, onPowerOff: (host, method) => watchPowerOff(stage, this, host, method) }),
      isLeading: () => this.#holdsLease(process),
      newId: () => this.#newId(),
      logger: silentLogger((message) => story.tell(`${process.name}: ${message}`)),
      ignore: (error, why) => {
        if (isBug(error)) story.violate(`an error of the program itself was ignored: ${why}: ${stackOf(error)}`);
      },
    };
  }

  #storeAccess(process: SimulatedProcess): StoreAccess {
    const stage = this.#stage;
    const { store, storeServer, scheduler } = stage;
    const knowledge = this.#knowledge;
    const ask = <T>(what: string, effect: () => T, signal: AbortSignal): Promise<T> => {
      const reached = () => {
        if (storeServer.isDown) throw new Error('the store cannot be reached');
        return effect();
      };
      const call = { what: `store: ${what}`, path: servicePath(this.name, 'store'), effect: reached };
      const delayMs = [1, storeServer.delayMs] as const;
      const read = storeReads.get(what);
      const heard = read && {
        heard: (effectAt: number | undefined) => knowledge.hearStore(read, effectAt, scheduler.now),
      };
      const rest = { unanswered: lost, delayMs, deadlineMs: 10_000, lossProbability: 0.001, ...heard };
      return process.call({ ...call, ...rest }, signal);
    };
    return {
      ask,
      ownNow: () => process.now(),
      storeNow: () => stage.storeNow(),
      onOpen: (incident: Incident) => stage.openings.ask(this, incident),
      onSave: (incident: Incident) => {
        const known = store.incidents.get(incident.id);
        const isOrder = incident.fences.at(-1)?.askedAt !== known?.fences.at(-1)?.askedAt;
        // Whoever takes over tells the old orders by his own clock, and gives none.
        if (isOrder && incident.adoptedAt === known?.adoptedAt) knowledge.decide(incident.host, scheduler.now);
      },
    };
  }

  #newId(): string {
    this.#ids += 1;
    return `${this.name}-${this.#ids}`;
  }
}

/** What a look reads of the store, by the name of the call. */
const storeReads: ReadonlyMap<string, StoreRead> = new Map([
  ['read signals', 'signals'],
  ['list hosts', 'hosts'],
  ['read the switches', 'switches'],
]);

/** All is pushed; and somebody listens for hosts that write a kernel dump. */
function sourcesOf({ kdumps, scheduler }: Stage, process: SimulatedProcess): NonNullable<EnginePorts['sources']> {
  return {
    reachOf: () => ({ kind: 'pushed' }),
    kdumpUntil: (host) => {
      const dump = kdumps.get(host);
      return dump === undefined ? undefined : process.now() + (dump.until - scheduler.now);
    },
  };
}

/** Errors that no trouble outside can cause. */
function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '') : '';
}

function silentLogger(tell: (message: string) => void): Logger {
  const logger: Logger = {
    level: 'warn',
    debug: () => {},
    info: () => {},
    warn: (fields, message) => tell(`${message} ${fieldsText(fields)}`),
    error: (fields, message) => tell(`${message} ${fieldsText(fields)}`),
    child: () => logger,
    setLevel: () => {},
  };
  return logger;
}

function fieldsText(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value instanceof Error ? value.message : String(value)}`)
    .join(' ');
}

function lost(message: string): Error {
  return new Error(message);
}
