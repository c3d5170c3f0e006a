import { isConflict, isNotFound } from '../errors/status-error.ts';
import { objectAt, textAt } from '../identity/object-fields.ts';
import { planAggregation } from './aggregate-roles.ts';
import { policyStorageName, type PolicySource } from './follow-policy.ts';
import type { PolicyAccess } from './policy-access.ts';

const CLUSTER_ROLES = policyStorageName('clusterroles');

export interface AggregationDependencies {
  readonly source: PolicySource;
  readonly access: PolicyAccess;
  /** Is told of a role that could not be brought up to date; it is tried again with the next change of any role. */
  readonly onFailure: (roleName: string, error: unknown) => void;
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
    const { source, access, onFailure } = this.#deps;
    while (this.#isDirty && !this.#stopped.signal.aborted) {
      this.#isDirty = false;
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
    }
  }
}
