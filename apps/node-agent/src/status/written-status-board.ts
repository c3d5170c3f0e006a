import { shareStructure, type Clock, WakeUp, backOffMs, pauseMs } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';
import type { Fields } from '@smalt/kube';
import type { Condition } from '@smalt/kubernetes';
import type { Logger } from '@smalt/service-runtime';

import type { HypervisorView } from '../hypervisor-view.ts';
import type { AgentMetrics } from '../metrics/agent-metrics.ts';
import { mergeStatements, type AgentStatus } from './merge-statements.ts';
import type { StatusBoard, StatusStatement } from './status-board.ts';
import type { AgentField } from './status-fields.ts';

/** So long after the start a condition that no part has stated goes: its part is switched off. */
const SETTLE_MS = 15_000;
/** At the start all parts begin to speak at about the same time: so long the first write waits for them. */
const GATHER_MS = 200;

export interface StatusBoardParts {
  readonly hypervisor: HypervisorView;
  /** Writes the agent's part of the status, if it differs; returns whether anything was sent. */
  readonly write: (status: Fields, signal: AbortSignal) => Promise<boolean>;
  /** The fields that are the agent's; those of an earlier run stay until a part speaks of them. */
  readonly fields: readonly AgentField[];
  /** The types of conditions that are the agent's, whichever part states them. */
  readonly conditionTypes: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<AgentMetrics, 'countStatusWrite'>;
}

interface Memory {
  readonly uid: string | undefined;
  readonly conditions: readonly Condition[];
}

/** A status board that writes to the API while `run` goes on: at once, then paced by how long the server takes. */
export class WrittenStatusBoard implements StatusBoard {
  readonly #parts: StatusBoardParts;
  readonly #statements = new Map<string, StatusStatement>();
  readonly #stated = new Set<AgentField>();
  readonly #spoken = new Set<string>();
  readonly #changed: WakeUp;
  readonly #objectChanged: WakeUp;
  /** Of the object it was written to, so that another one of the same name gets everything anew. */
  #memory: Memory | undefined;
  #hasSettled = false;
  #failures = 0;
  #lastFailure = '';

  constructor(parts: StatusBoardParts) {
    this.#parts = parts;
    this.#changed = new WakeUp(parts.clock);
    this.#objectChanged = new WakeUp(parts.clock);
  }

  state(part: string, statement: StatusStatement): void {
    // A thousand instances of which one has changed are not kept anew.
    this.#statements.set(part, shareStructure(this.#statements.get(part), statement));
    for (const field of this.#parts.fields) if (statement.fields?.[field] !== undefined) this.#stated.add(field);
    for (const { type } of statement.conditions ?? []) this.#spoken.add(type);
    this.#changed.ring();
  }

  /** Writes what is stated until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const { hypervisor, clock } = this.#parts;
    const stop = hypervisor.onChange(() => {
      this.#changed.ring();
      this.#objectChanged.ring();
    });
    const cancel = clock.later(SETTLE_MS, () => {
      this.#hasSettled = true;
      this.#changed.ring();
    });
    try {
      await this.#changed.wait(Infinity, signal);
      await clock.wait(GATHER_MS, signal).catch(() => undefined);
      this.#changed.ring();
      while (!signal.aborted) {
        await this.#changed.wait(Infinity, signal);
        const { current } = hypervisor;
        if (current === undefined || this.#statements.size === 0 || signal.aborted) continue;
        await this.#writeOnce(current, signal);
      }
    } finally {
      cancel();
      stop();
    }
  }

  async #writeOnce(current: Hypervisor, signal: AbortSignal): Promise<void> {
    const { write, clock } = this.#parts;
    const status = this.#merge(current);
    const startedAt = clock.monotonic();
    try {
      const wasSent = await write({ ...status }, signal);
      this.#memory = { uid: current.metadata.uid, conditions: status.conditions };
      const tookMs = clock.monotonic() - startedAt;
      this.#succeed(wasSent);
      if (wasSent) await clock.wait(pauseMs(tookMs), signal).catch(() => undefined);
    } catch (error) {
      if (!signal.aborted) await this.#fail(error, signal);
    }
  }

  #merge(current: Hypervisor): AgentStatus {
    const { uid, generation } = current.metadata;
    const remembered =
      this.#memory !== undefined && this.#memory.uid === uid ? this.#memory.conditions : current.status?.conditions;
    const waiting = this.#hasSettled ? [] : this.#parts.conditionTypes.filter((type) => !this.#spoken.has(type));
    return mergeStatements({
      statements: [...this.#statements.values()],
      fields: this.#parts.fields,
      current: current.status,
      generation,
      remembered: remembered ?? [],
      stated: this.#stated,
      carried: new Set(waiting),
      now: new Date(this.#parts.clock.now()),
    });
  }

  #succeed(wasSent: boolean): void {
    if (this.#failures > 0) this.#parts.logger.info({ failures: this.#failures }, 'the status is written again');
    this.#failures = 0;
    this.#lastFailure = '';
    if (wasSent) this.#parts.metrics.countStatusWrite('written');
  }

  /** What is stated meanwhile takes the place of what could not be written; a sign of life from the API ends the wait. */
  async #fail(error: unknown, signal: AbortSignal): Promise<void> {
    const { logger, metrics } = this.#parts;
    this.#failures++;
    metrics.countStatusWrite('failed');
    const message = error instanceof Error ? error.message : String(error);
    const delayMs = backOffMs(this.#failures, Math.random());
    if (message !== this.#lastFailure) logger.warn({ error, delayMs }, 'the status cannot be written; trying again');
    this.#lastFailure = message;
    this.#changed.ring();
    await this.#objectChanged.wait(delayMs, signal);
  }
}
