import { runTogether, WakeUp } from '@smalt/controller-runtime';
import type { OpenFlowConnection, OvsdbChange, Unixctl } from '@smalt/ovs';
import type { DatabaseFacts, SwitchConfiguration, SwitchFacts } from '@smalt/switch-health';

import type { SouthboundWatch } from '../southbound/southbound-watch.ts';
import type { SwitchAccess, SwitchDaemon } from '../switch-access.ts';
import { bondNames } from './bond-watch.ts';
import { touchesBonds, touchesBridges } from './changed-rows.ts';
import { ConfigurationReader } from './configuration-reader.ts';
import type { GuestWatch } from './guest-watch.ts';
import { readKernelSpeeds } from './kernel-speeds.ts';
import type { ObserverOptions } from './observer-options.ts';
import { readOvnSettings } from './ovn-settings.ts';
import type { SwitchDatabase } from './switch-database.ts';
import type { SwitchSources } from './switch-sources.ts';
import type { SwitchTables } from './switch-tables.ts';
import { unlessAborted } from './unless-aborted.ts';

/** How often a daemon that does not answer is looked for; one that answers costs nothing meanwhile. */
const LOOK_MS = 1_000;
/** A daemon is asked for a twentieth of the time at most. */
const REST_PER_WORK = 20;
const LONGEST_REST_MS = 120_000;
/** Ports come in bursts, and their flows after them. */
const SETTLE_MS = 500;
/** So long a change of a bond waits for what ovs-vswitchd says about it, so that one write tells both. */
const BOND_ANSWER_MS = 25;
/** When a bond has changed it is asked for again: members come back after a delay that no row tells of. */
const BOND_LOOKS_MS: readonly number[] = [0, 500, 2_000];

export interface ObserverParts extends SwitchSources {
  readonly southbound: SouthboundWatch | undefined;
  readonly guests: GuestWatch | undefined;
}

/** Knows what is the case with the switch of a node, and tells when that has changed. */
export class SwitchObserver implements SwitchAccess {
  readonly #options: ObserverOptions;
  readonly #parts: ObserverParts;
  readonly #reader = new ConfigurationReader();
  readonly #refreshDue: WakeUp;
  readonly #bondsDue: WakeUp;
  readonly #listeners = new Set<() => void>();
  readonly #ready = Promise.withResolvers<void>();
  #configuration: SwitchConfiguration | undefined;
  #isConfigurationOld = true;
  #isRefreshSoon = false;
  #isConnected = false;
  #databaseSince = { moment: Number.NaN, at: 0 };
  /** How long ovs-vswitchd is left in peace unless something has happened to it. */
  #restMs = 0;
  #kernelSpeeds: ReadonlyMap<string, bigint> = new Map();

  constructor(options: ObserverOptions, parts: ObserverParts) {
    this.#options = options;
    this.#parts = parts;
    this.#refreshDue = new WakeUp(options.clock);
    this.#bondsDue = new WakeUp(options.clock);
  }

  get runDirectories(): readonly string[] {
    return this.#options.runDirectories;
  }

  get database(): SwitchDatabase {
    return this.#parts.database;
  }

  bridges(): readonly string[] {
    return this.#read()?.bridges.map(({ name }) => name) ?? [];
  }

  async unixctl(daemon: SwitchDaemon, signal: AbortSignal): Promise<Unixctl> {
    return await this.#parts.daemons[daemon].unixctl(signal);
  }

  async openFlow(bridge: string, signal: AbortSignal): Promise<OpenFlowConnection> {
    return await this.#parts.flowTables.open(bridge, signal);
  }

  /** Calls back when something has changed, until the result is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  facts(): SwitchFacts {
    const { daemons, flowTables, bonds, guests } = this.#parts;
    const configuration = this.#read();
    return {
      at: this.#options.clock.now(),
      database: this.#databaseFacts(),
      vswitchd: daemons['ovs-vswitchd'].facts,
      ovsdbServer: daemons['ovsdb-server'].facts,
      configuration,
      flowTables: flowTables.answers,
      bonds: bonds.answers,
      kernelSpeeds: this.#kernelSpeeds,
      ovn: this.#usesOvn(configuration) ? this.#ovnFacts() : undefined,
      guestDevices: guests?.answer,
    };
  }

  /** Resolves once everything was asked once, whether it answered or not; what was known before that is nothing. */
  async ready(signal: AbortSignal): Promise<void> {
    await unlessAborted(this.#ready.promise, signal);
  }

  /** Observes until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, statistics, southbound, guests } = this.#parts;
    const stops = [
      database.subscribe((change) => this.#takeChange(change)),
      statistics.subscribe(() => this.#takeCounters()),
      southbound?.onChange(() => this.#announce()),
      guests?.onChange(() => this.#announce()),
    ];
    try {
      await this.#begin(signal);
      this.#ready.resolve();
      this.#announce();
      await runTogether(
        [
          (until) => this.#keepRefreshing(until),
          (until) => this.#keepLooking(until),
          (until) => this.#keepAskingController(until),
          (until) => this.#keepAskingBonds(until),
          (until) => southbound?.run(() => this.facts(), until) ?? Promise.resolve(),
          (until) => guests?.run(until) ?? Promise.resolve(),
        ],
        signal,
      );
    } finally {
      for (const stop of stops) stop?.();
    }
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }

  #takeChange({ rows, state }: OvsdbChange<SwitchTables>): void {
    const { database } = this.#parts;
    this.#isConfigurationOld = true;
    // Without its database ovs-vswitchd answers no OpenFlow; with it, it does again.
    if (state.kind === 'connected' && !this.#isConnected) this.#refreshDue.ring();
    this.#isConnected = state.kind === 'connected';
    if (touchesBridges(rows)) this.#refreshSoon();
    if (touchesBonds(rows, database.cache)) this.#bondsDue.ring();
    else this.#announce();
  }

  #takeCounters(): void {
    this.#isConfigurationOld = true;
    this.#announce();
  }

  #refreshSoon(): void {
    if (this.#isRefreshSoon) return;
    this.#isRefreshSoon = true;
    this.#options.clock.later(Math.max(SETTLE_MS, this.#restMs), () => {
      this.#isRefreshSoon = false;
      this.#refreshDue.ring();
    });
  }

  /** Asks everything once. */
  async #begin(signal: AbortSignal): Promise<void> {
    const { clock, times } = this.#options;
    const { database, statistics, daemons, controller } = this.#parts;
    const synchronized = Promise.all([database.synchronized(signal), statistics.synchronized(signal)]);
    await Promise.race([synchronized, clock.wait(times.answerMs, signal)]).catch(() => undefined);
    synchronized.catch(() => undefined);
    if (signal.aborted) return;
    await daemons['ovn-controller'].check(signal);
    await this.#refresh(signal);
    if (this.#usesOvn(this.#read())) await controller.refresh(this.#read(), signal);
  }

  async #keepRefreshing(signal: AbortSignal): Promise<void> {
    const { clock, times } = this.#options;
    while (!signal.aborted) {
      await this.#refreshDue.wait(Math.max(times.refreshMs, this.#restMs), signal);
      if (signal.aborted) return;
      const startedAt = clock.monotonic();
      await this.#refresh(signal);
      this.#announce();
      this.#restMs = Math.min(LONGEST_REST_MS, (clock.monotonic() - startedAt) * REST_PER_WORK);
    }
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { daemons, flowTables, bonds, controller } = this.#parts;
    const vswitchd = daemons['ovs-vswitchd'];
    const [{ state, why }] = await Promise.all([vswitchd.check(signal), daemons['ovsdb-server'].check(signal)]);
    const configuration = this.#read();
    if (state !== 'answering') {
      // It is looked for every second anyhow: whoever does not answer one question is not asked more.
      this.#giveUp(`ovs-vswitchd is ${state}: ${why ?? 'there is no trace of it'}`);
      return;
    }
    const names = bondNames(configuration);
    // At the same moment: each time it wakes up ovs-vswitchd looks after all its ports, which costs more than the answers.
    await Promise.all([
      this.#timed('flow-tables', () => flowTables.refresh(this.bridges(), signal)),
      names.length === 0 ? bonds.refresh([], signal) : this.#timed('bonds', () => bonds.refresh(names, signal)),
      this.#usesOvn(configuration) ? this.#timed('memory', () => controller.refreshConnections(signal)) : undefined,
    ]);
    this.#kernelSpeeds = await readKernelSpeeds(this.#read(), this.#options.sysfs);
  }

  #giveUp(why: string): void {
    const { flowTables, bonds, controller } = this.#parts;
    flowTables.giveUp(this.bridges(), why);
    bonds.giveUp(bondNames(this.#read()), why);
    controller.giveUpConnections(why);
  }

  /** Notices within a second that a daemon has died, was started, or answers again. */
  async #keepLooking(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      await clock.wait(LOOK_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      const found = await Promise.all(
        Object.values(this.#parts.daemons).map(async (daemon) => {
          if (!daemon.isInDoubt) return false;
          const before = daemon.facts;
          const { state, processId } = await daemon.check(signal);
          return before.state !== state || before.processId !== processId;
        }),
      );
      if (!found.includes(true)) continue;
      const { state, why } = this.#parts.daemons['ovs-vswitchd'].facts;
      if (state !== 'answering') this.#giveUp(`ovs-vswitchd is ${state}: ${why ?? 'there is no trace of it'}`);
      this.#refreshDue.ring();
      this.#announce();
    }
  }

  async #keepAskingController(signal: AbortSignal): Promise<void> {
    const { clock, times } = this.#options;
    const { controller, daemons } = this.#parts;
    while (!signal.aborted) {
      const { state, why } = daemons['ovn-controller'].facts;
      const configuration = this.#read();
      if (state === 'answering') {
        await this.#timed('controller', () => controller.refresh(configuration, signal));
        this.#announce();
      } else if (this.#usesOvn(configuration)) {
        controller.giveUp(`ovn-controller is ${state}: ${why ?? 'there is no trace of it'}`);
      }
      await clock.wait(times.controllerMs, signal).catch(() => undefined);
    }
  }

  async #keepAskingBonds(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      await this.#bondsDue.wait(Infinity, signal);
      for (const [index, pauseMs] of BOND_LOOKS_MS.entries()) {
        if (index > 0) await this.#bondsDue.wait(pauseMs, signal);
        if (signal.aborted) return;
        const asking = this.#askBonds(signal);
        await Promise.race([asking, clock.wait(BOND_ANSWER_MS, signal).catch(() => undefined)]);
        this.#announce();
        await asking;
        this.#announce();
      }
    }
  }

  async #askBonds(signal: AbortSignal): Promise<void> {
    // Whoever does not answer one question is not asked more.
    if (this.#parts.daemons['ovs-vswitchd'].facts.state !== 'answering') return;
    await this.#timed('bonds', () => this.#parts.bonds.refresh(bondNames(this.#read()), signal));
  }

  async #timed(source: string, work: () => Promise<void>): Promise<void> {
    const { clock, metrics } = this.#options;
    const startedAt = clock.monotonic();
    await work();
    metrics.observeRefresh(source, (clock.monotonic() - startedAt) / 1_000);
  }

  /** What the database says, or said last. */
  #read(): SwitchConfiguration | undefined {
    if (!this.#isConfigurationOld) return this.#configuration;
    this.#isConfigurationOld = false;
    const { database, statistics } = this.#parts;
    this.#configuration = this.#reader.read(database.cache, statistics.cache) ?? this.#configuration;
    return this.#configuration;
  }

  #databaseFacts(): DatabaseFacts {
    const { state, schema } = this.#parts.database;
    if (this.#databaseSince.moment !== state.since) {
      // The client measures by a clock that cannot be set; facts are told by that of the wall.
      const { clock } = this.#options;
      const at = Math.round(clock.now() - (clock.monotonic() - state.since));
      this.#databaseSince = { moment: state.since, at };
    }
    return {
      state: state.kind,
      since: this.#databaseSince.at,
      ...(state.why !== undefined && { why: state.why }),
      ...(schema !== undefined && { schemaVersion: schema.version }),
    };
  }

  #ovnFacts(): SwitchFacts['ovn'] {
    const { daemons, controller, southbound } = this.#parts;
    return {
      controller: daemons['ovn-controller'].facts,
      ...controller.answers,
      southbound: southbound?.facts,
      staleFlows: southbound?.staleFlows,
    };
  }

  #usesOvn(configuration: SwitchConfiguration | undefined): boolean {
    if (this.#parts.daemons['ovn-controller'].facts.state !== 'absent') return true;
    return configuration !== undefined && readOvnSettings(configuration).remote !== undefined;
  }
}
