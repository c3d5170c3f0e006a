import { setTimeout as delay } from 'node:timers/promises';

import { isConflict, isNotFound } from '../errors/status-error.ts';
import { objectAt, textAt } from '../identity/object-fields.ts';
import { planAggregation } from './aggregate-roles.ts';
import { policyStorageName, type PolicySource } from './follow-policy.ts';
import type { PolicyAccess } from './policy-access.ts';

const CLUSTER_ROLES = policyStorageName('clusterroles');
/** So often in a row roles are written without a pause: a few of them may come one after the other. */
const WITHOUT_PAUSE = 5;
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 1_000;

export interface AggregationDependencies {
  readonly source: PolicySource;
  readonly access: PolicyAccess;
  /** Is told of a role that could not be brought up to date; it is tried again with the next change of any role. */
  readonly onFailure: (roleName: string, error: unknown) => void;
  /** Waits; resolves early when the signal is aborted. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Writes the rules of aggregated cluster roles whenever those of the roles they select change. */
export class RoleAggregation implements AsyncDisposable {
  readonly #deps: AggregationDependencies;
  readonly #stopped = new AbortController();
  readonly #unsubscribe: () => void;
  #running: Promise<void> | undefined;
  #isDirty = false;

  constructor(deps: AggregationDependencies) {
    this.#deps = deps;
    this.#unsubscribe = deps.source.subscribe(CLUSTER_ROLES, () => this.#wake());
    this.#wake();
  }

  /** Resolves when every role is as it has to be, as far as it could be brought there. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#stopped.abort();
    await this.settled();
  }

  #wake(): void {
    this.#isDirty = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  async #run(): Promise<void> {
    const { pause = systemPause } = this.#deps;
    const { signal } = this.#stopped;
    let passes = 0;
    while (this.#isDirty && !signal.aborted) {
      // Whoever undoes what is written here would be answered without end, as fast as the disk is.
      const tooMany = passes - WITHOUT_PAUSE;
      if (tooMany >= 0) await pause(Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tooMany, 20)), signal);
      if (signal.aborted) return;
      this.#isDirty = false;
      passes = (await this.#pass()) ? passes + 1 : 0;
    }
  }

  /** Says whether a role had to be written. */
  async #pass(): Promise<boolean> {
    const { source, access, onFailure } = this.#deps;
    const plan = planAggregation(source.range(CLUSTER_ROLES).map(({ value }) => value));
    for (const { name, error } of plan.failed) onFailure(name, error);
    await Promise.all(
      plan.changed.map(async (role) => {
        try {
          await access.update('clusterroles', '', role, this.#stopped.signal);
        } catch (error) {
          // Someone else changed it meanwhile, which wakes us again.
          if (!isConflict(error) && !isNotFound(error)) onFailure(textAt(objectAt(role, 'metadata'), 'name'), error);
        }
      }),
    );
    return plan.changed.length > 0;
  }
}

async function systemPause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
