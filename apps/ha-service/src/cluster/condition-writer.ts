import { StatusWriter, withCondition, type ConditionStatement, type Informer } from '@smalt/controller-runtime';
import { HIGH_AVAILABILITY_WORDS, HypervisorConditionType } from '@smalt/fleet-api';
import { isConflict, isKubeError, isNotFound, type ResourceClient } from '@smalt/kube';
import type { Condition } from '@smalt/kubernetes';

import type { ServiceClock } from '../ports/service-clock.ts';
import type { WatchedHypervisor } from './watched-hypervisor.ts';
import { FIELD_MANAGER } from './write-maintenance.ts';

/** The conditions that this service states; `HypervisorDisabled` is the operator's at other times. */
const OURS: ReadonlySet<string> = new Set([
  HypervisorConditionType.haEnabled,
  HypervisorConditionType.hypervisorDisabled,
]);
const ATTEMPTS = 5;

interface WriterOptions {
  readonly client: ResourceClient<WatchedHypervisor>;
  readonly informer: Informer<WatchedHypervisor>;
  readonly clock: ServiceClock;
}

/**
 * Writes the conditions of high availability under its own name; those it leaves out go, as far as they are its own. Ownership of
 * fields alone does not say that: whoever may write the object may say the same, or strike out who said it.
 */
export class ConditionWriter {
  readonly #options: WriterOptions;
  readonly #writer: StatusWriter<WatchedHypervisor>;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#writer = new StatusWriter(options.client, options.informer, FIELD_MANAGER);
  }

  async state(host: string, statements: readonly ConditionStatement[], signal: AbortSignal): Promise<void> {
    const object = this.#options.informer.cache.get(host);
    if (object === undefined) return;
    const stated = new Set(statements.map(({ type }) => type));
    const conditions = this.#conditions(object, statements);
    const status = conditions.length === 0 ? {} : { conditions };
    try {
      await this.#writer.apply(host, status, signal);
    } catch (error) {
      // Of a condition that another owns in part only a part would go, and the rest of it is not valid: it goes whole.
      if (!isKubeError(error, 'invalid')) throw error;
      await this.#remove(host, ({ type }) => OURS.has(type) && !stated.has(type), signal);
      await this.#writer.apply(host, status, signal);
    }
    // One that another owns whole does not go by being left out, and no error tells of it.
    const isLeft = (condition: Condition): boolean => isDeclaration(condition) && !stated.has(condition.type);
    if (object.status?.conditions?.some(isLeft) === true) await this.#remove(host, isLeft, signal);
  }

  #conditions(object: WatchedHypervisor, statements: readonly ConditionStatement[]): readonly Condition[] {
    const about = { generation: object.metadata.generation, now: new Date(this.#options.clock.now()) };
    const types = new Set(statements.map(({ type }) => type));
    let conditions = (object.status?.conditions ?? []).filter(({ type }) => types.has(type));
    for (const statement of statements) conditions = [...withCondition(conditions, statement, about)];
    return conditions;
  }

  async #remove(host: string, isLeft: (condition: Condition) => boolean, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        const { metadata, status } = await client.get(host, { signal });
        const found = status?.conditions ?? [];
        const conditions = found.filter((condition) => !isLeft(condition));
        if (conditions.length === found.length) return;
        // The list is written whole: without the version, what another says meanwhile would be lost.
        const fields = { metadata: { resourceVersion: metadata.resourceVersion }, status: { conditions } };
        await client.patch(host, 'merge', fields, { subresource: 'status', fieldManager: FIELD_MANAGER, signal });
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

/** Whether a condition says that this service declared the host dead. The operator says in other words that it is disabled. */
function isDeclaration({ type, message }: Condition): boolean {
  return type === HypervisorConditionType.hypervisorDisabled && message.startsWith(HIGH_AVAILABILITY_WORDS);
}
