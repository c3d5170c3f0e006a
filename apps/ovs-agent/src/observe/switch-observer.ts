import { runTogether, WakeUp } from '@smalt/controller-runtime';
import type { OpenFlowConnection, OvsdbChange, Unixctl } from '@smalt/ovs';
import { readOvnSettings, type DaemonFacts, type SwitchConfiguration, type SwitchFacts } from '@smalt/switch-health';

import type { SouthboundWatch } from '../southbound/southbound-watch.ts';
import { SWITCH_DAEMONS, type SwitchAccess, type SwitchDaemon } from '../switch-access.ts';
import { bondNames } from './bond-watch.ts';
import { hasNewBridge, touchesBonds, touchesBridges } from './changed-rows.ts';
import { readChassisName } from './chassis-name.ts';
import { ConfigurationReader } from './configuration-reader.ts';
import { DatabaseWatch } from './database-watch.ts';
import type { GuestWatch } from './guest-watch.ts';
import { keepAskingBonds } from './keep-asking-bonds.ts';
import { keepLooking } from './keep-looking.ts';
import { readKernelSpeeds } from './kernel-speeds.ts';
import type { ObserverOptions } from './observer-options.ts';
import type { RefreshResult, RefreshScope } from './plan-refresh.ts';
import { RefreshLoop } from './refresh-loop.ts';
import type { SteadyClock } from './steady-clock.ts';
import type { SwitchDatabase } from './switch-database.ts';
import type { SwitchSources } from './switch-sources.ts';
import type { SwitchTables } from './switch-tables.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface ObserverParts extends SwitchSources {
  readonly southbound: SouthboundWatch | undefined;
  readonly guests: GuestWatch | undefined;
}

/** All times of facts are of one clock that nobody sets. */
type SteadyOptions = ObserverOptions & { readonly clock: SteadyClock };

/** Knows what is the case with the switch of a node, and tells when that has changed. */
export class SwitchObserver implements SwitchAccess {
  readonly #options: SteadyOptions;
  readonly #parts: ObserverParts;
  readonly #reader = new ConfigurationReader();
  readonly #databaseWatch: DatabaseWatch;
  readonly #refreshes: RefreshLoop;
  readonly #bondsDue: WakeUp;
  readonly #listeners = new Set<() => void>();
  readonly #ready = Promise.withResolvers<void>();
  #configuration: SwitchConfiguration | undefined;
  #isConfigurationOld = true;
  #isConnected = false;
  #kernelSpeeds: ReadonlyMap<string, bigint> = new Map();
  /** What ovn-controller was told to call its chassis, and which process that was asked of. */
  #chassis: { readonly name: string | undefined; readonly processId: number | undefined } | undefined;

  constructor(options: SteadyOptions, parts: ObserverParts) {
    const { clock, times } = options;
    this.#options = options;
    this.#parts = parts;
    this.#databaseWatch = new DatabaseWatch(parts.database, clock);
    this.#bondsDue = new WakeUp(clock);
    this.#refreshes = new RefreshLoop({
      clock,
      refreshMs: times.refreshMs,
      refresh: (scope, signal) => this.#refresh(scope, signal),
      onRefreshed: () => this.#announce(),
    });
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
    const { clock } = this.#options;
    const { daemons, flowTables, bonds, guests } = this.#parts;
    const configuration = this.#read();
    return {
      at: clock.now(),
      wallAheadMs: clock.wallAheadMs(),
      database: this.#databaseWatch.facts,
      vswitchd: daemons['ovs-vswitchd'].facts,
      ovsdbServer: daemons['ovsdb-server'].facts,
      configuration,
      flowTables: flowTables.answers,
      bonds: bonds.answers,
      kernelSpeeds: this.#kernelSpeeds,
      ovn: this.#usesOvn(configuration) ? this.#ovnFacts() : undefined,
      guestDevices: guests?.answer,
      ...(this.#options.runningCaptures && { runningCaptures: new Set(this.#options.runningCaptures()) }),
    };
  }

  /** Resolves once everything was asked once, whether it answered or not; what was known before that is nothing. */
  async ready(signal: AbortSignal): Promise<void> {
    await unlessAborted(this.#ready.promise, signal);
  }

  /** Observes until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, statistics, southbound, guests, daemons } = this.#parts;
    const stops = [
      database.subscribe((change) => this.#takeChange(change)),
      statistics.subscribe(() => this.#takeCounters()),
      southbound?.onChange(() => this.#announce()),
      guests?.onChange(() => this.#announce()),
      ...SWITCH_DAEMONS.map((name) => daemons[name].onChange((facts) => this.#takeDaemon(name, facts))),
    ];
    try {
      await this.#begin(signal);
      this.#ready.resolve();
      this.#announce();
      await runTogether(
        [
          (until) => this.#refreshes.run(until),
          ...SWITCH_DAEMONS.map((name) => (until: AbortSignal) => this.#keepLooking(name, until)),
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
    if (state.kind === 'connected' && !this.#isConnected) this.#refreshes.recovered();
    this.#isConnected = state.kind === 'connected';
    if (hasNewBridge(rows)) this.#refreshes.bridgeAppeared();
    if (touchesBridges(rows)) this.#refreshes.portsChanged();
    if (touchesBonds(rows, database.cache)) this.#bondsDue.ring();
    else this.#announce();
  }

  #takeCounters(): void {
    this.#isConfigurationOld = true;
    this.#announce();
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
    await this.#learnChassis();
    await this.#refresh('all', signal);
    if (this.#usesOvn(this.#read())) await controller.refresh(this.#read(), signal);
  }

  async #refresh(scope: RefreshScope, signal: AbortSignal): Promise<RefreshResult> {
    const { daemons } = this.#parts;
    const vswitchd = daemons['ovs-vswitchd'];
    // One that answered last time is asked for everything at once; one in doubt has to answer one question first.
    const isInDoubt = vswitchd.isInDoubt;
    const asking = isInDoubt ? undefined : this.#askVswitchd(scope, signal);
    const isChecked = isInDoubt || scope === 'all';
    const checks = isChecked ? [vswitchd.check(signal), daemons['ovsdb-server'].check(signal)] : [];
    await Promise.all([...checks, asking]);
    const { state, why } = vswitchd.facts;
    if (state !== 'answering') {
      // It is looked for every second anyhow: whoever does not answer one question is not asked more.
      this.#giveUp(`ovs-vswitchd is ${state}: ${why ?? 'there is no trace of it'}`);
      return { outcome: 'nobody', workMs: 0 };
    }
    const workMs = await (asking ?? this.#askVswitchd(scope, signal));
    if (scope === 'all') this.#kernelSpeeds = await readKernelSpeeds(this.#read(), this.#options.sysfs);
    return { outcome: this.#hasGaps() ? 'gaps' : 'answered', workMs };
  }

  /** Returns how long the answers took. Asks at the same moment: each time it wakes up ovs-vswitchd looks after all its ports, which costs more than the answers. */
  async #askVswitchd(scope: RefreshScope, signal: AbortSignal): Promise<number> {
    const { flowTables, bonds, controller } = this.#parts;
    const startedAt = this.#options.clock.monotonic();
    const configuration = this.#read();
    const names = bondNames(configuration);
    const areBondsDue = scope === 'all' || names.some((name) => bonds.answers.get(name)?.kind !== 'known');
    const askBonds = (): Promise<void> => bonds.refresh(names, signal);
    await Promise.all([
      this.#timed('flow-tables', () => flowTables.refresh(this.bridges(), scope, signal)),
      areBondsDue && names.length > 0 ? this.#timed('bonds', askBonds) : undefined,
    ]);
    const workMs = this.#options.clock.monotonic() - startedAt;
    if (names.length === 0) await askBonds();
    // After the others: connections that we are about to make cannot be told from those of ovn-controller.
    if (this.#usesOvn(configuration)) {
      await this.#timed('connections', () => controller.refreshConnections(configuration, signal));
    }
    return workMs;
  }

  #hasGaps(): boolean {
    const { flowTables, bonds } = this.#parts;
    return [...flowTables.answers.values(), ...bonds.answers.values()].some(({ kind }) => kind === 'unknown');
  }

  #giveUp(why: string): void {
    const { flowTables, bonds, controller } = this.#parts;
    flowTables.giveUp(this.bridges(), why);
    bonds.giveUp(bondNames(this.#read()), why);
    controller.giveUpConnections(why);
  }

  #takeDaemon(name: SwitchDaemon, { state, why }: DaemonFacts): void {
    if (name === 'ovs-vswitchd' && state !== 'answering') {
      this.#giveUp(`ovs-vswitchd is ${state}: ${why ?? 'there is no trace of it'}`);
    }
    this.#refreshes.recovered();
    this.#announce();
  }

  async #keepLooking(name: SwitchDaemon, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    // The others are asked often for what they know.
    const isProbed = name === 'ovs-vswitchd';
    await keepLooking({ daemon: this.#parts.daemons[name], isProbed, clock }, signal);
  }

  async #keepAskingController(signal: AbortSignal): Promise<void> {
    const { clock, times } = this.#options;
    const { controller, daemons } = this.#parts;
    while (!signal.aborted) {
      await this.#learnChassis();
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
    const ask = (until: AbortSignal): Promise<void> => this.#askBonds(until);
    await keepAskingBonds({ clock, due: this.#bondsDue, ask, onAsked: () => this.#announce() }, signal);
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
    const read = this.#reader.read(database.cache, statistics.cache) ?? this.#configuration;
    const name = this.#chassis?.name;
    this.#configuration = read === undefined || name === undefined ? read : { ...read, chassis: name };
    return this.#configuration;
  }

  /** ovn-controller is told the name of its chassis when it starts, so each process is asked once. */
  async #learnChassis(): Promise<void> {
    const { root, proc } = this.#options;
    const { processId } = this.#parts.daemons['ovn-controller'].facts;
    if (this.#chassis !== undefined && this.#chassis.processId === processId) return;
    this.#chassis = { processId, name: await readChassisName({ root, proc }, processId) };
    this.#isConfigurationOld = true;
  }

  #ovnFacts(): SwitchFacts['ovn'] {
    const { daemons, controller, southbound } = this.#parts;
    return {
      controller: daemons['ovn-controller'].facts,
      ...controller.answers,
      southbound: southbound?.facts,
      staleFlows: southbound?.staleFlows,
      isScanning: southbound !== undefined && this.#options.times.scanMs > 0,
    };
  }

  #usesOvn(configuration: SwitchConfiguration | undefined): boolean {
    if (this.#parts.daemons['ovn-controller'].facts.state !== 'absent') return true;
    return configuration !== undefined && readOvnSettings(configuration).remote !== undefined;
  }
}
