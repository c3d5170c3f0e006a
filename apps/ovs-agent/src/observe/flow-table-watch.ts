import type { Clock } from '@smalt/controller-runtime';
import { isOvsError, openOpenFlow, OvsError, type OpenFlowConnection } from '@smalt/ovs';
import type { Answer, FlowTableFacts } from '@smalt/switch-health';

import { known, unknown } from './answer.ts';
import type { RefreshScope } from './plan-refresh.ts';
import type { SourceMetrics } from './source-metrics.ts';

export interface FlowTableWatchOptions {
  readonly runDirectories: readonly string[];
  readonly answerMs: number;
  readonly clock: Clock;
  readonly metrics: SourceMetrics;
}

/** How many flows each table of each bridge has, by OpenFlow connections that are kept. */
export class FlowTableWatch implements AsyncDisposable {
  readonly #options: FlowTableWatchOptions;
  readonly #connections = new Map<string, OpenFlowConnection>();
  readonly #borrowed = new Map<OpenFlowConnection, string>();
  #answers: ReadonlyMap<string, Answer<readonly FlowTableFacts[]>> = new Map();

  constructor(options: FlowTableWatchOptions) {
    this.#options = options;
  }

  get answers(): ReadonlyMap<string, Answer<readonly FlowTableFacts[]>> {
    return this.#answers;
  }

  /** How many OpenFlow connections this agent has, to one bridge or to all: others count them with those of theirs. */
  countConnections(bridge?: string): number {
    for (const connection of this.#borrowed.keys()) if (connection.isClosed) this.#borrowed.delete(connection);
    const kept = [...this.#connections].filter(([, { isClosed }]) => !isClosed).map(([name]) => name);
    return [...this.#borrowed.values(), ...kept].filter((name) => bridge === undefined || name === bridge).length;
  }

  /** Asks all bridges at once, each alone: one that does not answer is unknown, and the others are not. */
  async refresh(bridges: readonly string[], scope: RefreshScope, signal: AbortSignal): Promise<void> {
    await this.#forgetOthers(new Set(bridges));
    const entries = await Promise.all(
      bridges.map(async (bridge) => {
        const old = this.#answers.get(bridge);
        const isKept = scope === 'unanswered' && old?.kind === 'known';
        return [bridge, isKept ? old : await this.#ask(bridge, signal)] as const;
      }),
    );
    this.#answers = new Map(entries);
  }

  /** Says of all bridges that they are not known, because nobody can be asked. */
  giveUp(bridges: readonly string[], why: string): void {
    const { clock } = this.#options;
    this.#answers = new Map(bridges.map((bridge) => [bridge, unknown(why, this.#answers.get(bridge), clock)]));
  }

  /** A connection of its own, which the caller disposes of; until then it counts as one of ours. */
  async open(bridge: string, signal: AbortSignal): Promise<OpenFlowConnection> {
    const connection = await this.#connect(bridge, signal);
    this.#borrowed.set(connection, bridge);
    return connection;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#forgetOthers(new Set());
  }

  async #ask(bridge: string, signal: AbortSignal): Promise<Answer<readonly FlowTableFacts[]>> {
    const { clock, metrics } = this.#options;
    try {
      const connection = await this.#kept(bridge, signal);
      const tables = await connection.tableStats({ signal });
      const used = tables.filter(({ flows }) => flows > 0).map(({ table, flows }) => ({ table, flows }));
      return known(used, clock);
    } catch (error) {
      signal.throwIfAborted();
      metrics.countFailure('flow-tables');
      await this.#drop(bridge);
      return unknown(error, this.#answers.get(bridge), clock);
    }
  }

  async #kept(bridge: string, signal: AbortSignal): Promise<OpenFlowConnection> {
    const open = this.#connections.get(bridge);
    if (open !== undefined && !open.isClosed) return open;
    if (open !== undefined) {
      await this.#drop(bridge);
      this.#options.metrics.countReconnect('openflow');
    }
    const connection = await this.#connect(bridge, signal);
    this.#connections.set(bridge, connection);
    return connection;
  }

  /** The socket is in the run directory of ovs-vswitchd, wherever that is. */
  async #connect(bridge: string, signal: AbortSignal): Promise<OpenFlowConnection> {
    const { runDirectories, answerMs } = this.#options;
    // It becomes part of a path, and the name of a bridge is whatever somebody has written into the database.
    if (bridge.includes('/') || bridge.includes('\0')) {
      throw new OvsError('invalid-argument', `"${bridge}" is no name that a bridge can have`);
    }
    let failure: unknown = new OvsError('not-running', 'no run directory is configured');
    for (const directory of runDirectories) {
      try {
        return await openOpenFlow({ socket: `${directory}/${bridge}.mgmt`, requestTimeoutMs: answerMs, signal });
      } catch (error) {
        // A socket that is refused or hangs says more than one that is not there.
        if (!isMissing(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  async #forgetOthers(bridges: ReadonlySet<string>): Promise<void> {
    const gone = [...this.#connections.keys()].filter((bridge) => !bridges.has(bridge));
    await Promise.all(gone.map((bridge) => this.#drop(bridge)));
  }

  async #drop(bridge: string): Promise<void> {
    const connection = this.#connections.get(bridge);
    this.#connections.delete(bridge);
    await connection?.[Symbol.asyncDispose]();
  }
}

function isMissing(error: unknown): boolean {
  if (!isOvsError(error, 'unreachable', 'not-running')) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}
