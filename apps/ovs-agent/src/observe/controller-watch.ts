import type { Clock } from '@smalt/controller-runtime';
import { connectionStatus, dumpLocalBindings, isPaused, showMemory, type Unixctl } from '@smalt/ovs';
import type { Answer, OvnFacts, SwitchConfiguration } from '@smalt/switch-health';

import { known, unknown } from './answer.ts';
import type { SourceMetrics } from './source-metrics.ts';

export interface ControllerWatchOptions {
  readonly controller: (signal: AbortSignal) => Promise<Unixctl>;
  readonly vswitchd: (signal: AbortSignal) => Promise<Unixctl>;
  /** How many of the OpenFlow connections that ovs-vswitchd counts are ours. */
  readonly ownConnections: () => number;
  /** How many the integration bridge has beside ours, where the kernel tells. */
  readonly bridgeConnections: (configuration: SwitchConfiguration) => Promise<number | undefined>;
  readonly clock: Clock;
  readonly metrics: SourceMetrics;
}

type Answers = Pick<OvnFacts, 'connection' | 'isPaused' | 'openFlowConnections' | 'localBindings'>;

const NO_BINDINGS: ReadonlyMap<string, number> = new Map();

/** What ovn-controller says of itself, and what ovs-vswitchd says of its connections. Each question fails alone. */
export class ControllerWatch {
  readonly #options: ControllerWatchOptions;
  #answers: Answers;

  constructor(options: ControllerWatchOptions) {
    this.#options = options;
    const nothing = unknown('it was not asked yet', undefined, options.clock);
    this.#answers = { connection: nothing, isPaused: nothing, openFlowConnections: nothing, localBindings: nothing };
  }

  get answers(): Answers {
    return this.#answers;
  }

  /** Asks ovn-controller. Its bindings are asked for only where a port waits for one: they are a long text. */
  async refresh(configuration: SwitchConfiguration | undefined, signal: AbortSignal): Promise<void> {
    const { controller } = this.#options;
    const old = this.#answers;
    const ask = <T>(before: Answer<T>, question: (unixctl: Unixctl) => Promise<T>): Promise<Answer<T>> =>
      this.#ask(before, async () => await question(await controller(signal)), signal);
    const connection = await ask(old.connection, (unixctl) => connectionStatus(unixctl, { signal }));
    // One that did not answer one question is not asked more.
    if (connection.kind === 'unknown') {
      this.giveUp(connection.why);
      return;
    }
    const paused = await ask(old.isPaused, (unixctl) => isPaused(unixctl, { signal }));
    const localBindings = hasUnclaimedPort(configuration)
      ? await ask(old.localBindings, (unixctl) => readBindings(unixctl, signal))
      : known(NO_BINDINGS, this.#options.clock);
    this.#answers = { ...this.#answers, connection, isPaused: paused, localBindings };
  }

  /** Counts the OpenFlow connections of the integration bridge; ovs-vswitchd is asked only where the kernel does not tell. */
  async refreshConnections(configuration: SwitchConfiguration | undefined, signal: AbortSignal): Promise<void> {
    const { bridgeConnections, clock } = this.#options;
    const counted = configuration === undefined ? undefined : await bridgeConnections(configuration);
    const openFlowConnections =
      counted === undefined ? await this.#askForConnections(configuration, signal) : known(counted, clock);
    this.#answers = { ...this.#answers, openFlowConnections };
  }

  /** Says that ovs-vswitchd was not asked, and why. */
  giveUpConnections(why: string): void {
    const { openFlowConnections } = this.#answers;
    this.#answers = { ...this.#answers, openFlowConnections: unknown(why, openFlowConnections, this.#options.clock) };
  }

  /** Says that ovn-controller was not asked, and why. */
  giveUp(why: string): void {
    const { clock } = this.#options;
    const { connection, isPaused: paused, localBindings } = this.#answers;
    this.#answers = {
      ...this.#answers,
      connection: unknown(why, connection, clock),
      isPaused: unknown(why, paused, clock),
      localBindings: unknown(why, localBindings, clock),
    };
  }

  /** ovs-vswitchd counts the connections of all bridges together, those to configured controllers included. */
  async #askForConnections(
    configuration: SwitchConfiguration | undefined,
    signal: AbortSignal,
  ): Promise<Answer<number>> {
    const { ownConnections } = this.#options;
    const count = async (): Promise<number> => {
      const before = ownConnections();
      const counted = await this.#countConnections(signal);
      // Where one of ours came or went meanwhile, nobody knows whether it was counted.
      const all = ownConnections() === before ? counted : await this.#countConnections(signal);
      return Math.max(0, all - ownConnections() - connectedControllers(configuration));
    };
    return await this.#ask(this.#answers.openFlowConnections, count, signal);
  }

  async #countConnections(signal: AbortSignal): Promise<number> {
    const counts = await showMemory(await this.#options.vswitchd(signal), { signal });
    return counts.get('ofconns') ?? 0;
  }

  async #ask<T>(before: Answer<T>, question: () => Promise<T>, signal: AbortSignal): Promise<Answer<T>> {
    const { clock, metrics } = this.#options;
    try {
      return known(await question(), clock);
    } catch (error) {
      signal.throwIfAborted();
      metrics.countFailure('controller');
      return unknown(error, before, clock);
    }
  }
}

async function readBindings(unixctl: Unixctl, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const bindings = await dumpLocalBindings(unixctl, { signal });
  return new Map(bindings.map(({ name, bindings: count }) => [name, count]));
}

function connectedControllers(configuration: SwitchConfiguration | undefined): number {
  const controllers = configuration?.bridges.flatMap((bridge) => bridge.controllers) ?? [];
  return controllers.filter(({ isConnected }) => isConnected).length;
}

function hasUnclaimedPort(configuration: SwitchConfiguration | undefined): boolean {
  const ports = configuration?.bridges.flatMap((bridge) => bridge.ports) ?? [];
  return ports
    .flatMap(({ interfaces }) => interfaces)
    .some(({ externalIds }) => externalIds.has('iface-id') && externalIds.get('ovn-installed') !== 'true');
}
