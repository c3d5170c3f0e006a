import {
  findCondition,
  keyOf,
  StatusWriter,
  withCondition,
  type Clock,
  type ConditionStatement,
  type EventRecorder,
  type Informer,
} from '@smalt/controller-runtime';
import { isConflict, isNotFound, type Fields, type ResourceClient } from '@smalt/kube';
import type { Condition, KubernetesObject } from '@smalt/kubernetes';

import { settledMessage } from './settled-message.ts';

/** A condition as a controller states it. */
export interface StatedCondition extends ConditionStatement {
  /** Whether a person should look at it: the event about it is a warning. */
  readonly isWarning?: boolean;
  /** The generation it was judged by, where that is part of what is told. */
  readonly observedGeneration?: number | undefined;
}

/** All that one controller has to say about an object. What it said before and leaves out now goes. */
export interface Statement {
  readonly fields?: Fields;
  readonly conditions: readonly StatedCondition[];
}

export interface ObjectWithConditions extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface OwnedStatusOptions<T extends ObjectWithConditions> {
  readonly client: ResourceClient<T>;
  readonly informer: Informer<T>;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  /** The name of the controller, under which its fields are owned. */
  readonly owner: string;
  /** The conditions that are the controller's alone. */
  readonly conditionTypes: readonly string[];
  /** The other fields of the status that the controller may write. */
  readonly fieldNames: readonly string[];
}

/** The part of a status that one controller owns: it is stated whole, written once when it changed, and told as events. */
export class OwnedStatus<T extends ObjectWithConditions> {
  readonly #options: OwnedStatusOptions<T>;
  readonly #writer: StatusWriter<T>;

  constructor(options: OwnedStatusOptions<T>) {
    this.#options = options;
    this.#writer = new StatusWriter(options.client, options.informer, options.owner);
  }

  /** Whether the cache has what was stated last; until then decisions would go by old news. */
  hasSeen(object: T): boolean {
    return this.#writer.hasSeen(keyOf(object));
  }

  /** States everything anew. Returns whether anything was written. */
  async state(object: T, statement: Statement, signal: AbortSignal): Promise<boolean> {
    const { fields = {}, conditions } = statement;
    const now = new Date(this.#options.clock.now());
    let stated = this.#own(object);
    for (const { isWarning: _, observedGeneration: generation, ...condition } of conditions) {
      const message = settledMessage(findCondition(stated, condition.type)?.message, condition.message);
      stated = withCondition(stated, { ...condition, message }, { generation, now });
    }
    const types = new Set(conditions.map(({ type }) => type));
    stated = stated.filter(({ type }) => types.has(type));
    // An empty list would never compare equal to one in which others have their conditions.
    const status = stated.length === 0 ? fields : { ...fields, conditions: stated };
    // After a restart there is nothing to write, unless something of ours is there that we no longer say.
    if (!this.hasMore(object, statement)) this.#writer.adopt(keyOf(object), status);
    const isWritten = await this.#writer.apply(keyOf(object), status, signal);
    if (!isWritten) return await this.#removeLeftovers(object, statement, signal);
    this.#tell(object, conditions);
    return true;
  }

  #own(object: T): readonly Condition[] {
    const { conditionTypes } = this.#options;
    return (object.status?.conditions ?? []).filter(({ type }) => conditionTypes.includes(type));
  }

  /** Whether the object has anything of this controller beyond what is stated; it may take a second look to make it go. */
  hasMore(object: T, { fields = {}, conditions }: Statement): boolean {
    const { status = {} } = object;
    const types = new Set(conditions.map(({ type }) => type));
    const isMore = (name: string): boolean => name in status && fields[name] === undefined;
    return this.#options.fieldNames.some(isMore) || this.#own(object).some(({ type }) => !types.has(type));
  }

  /** What another program wrote for this controller before it: leaving it out does not make it go. */
  async #removeLeftovers(object: T, statement: Statement, signal: AbortSignal): Promise<boolean> {
    const { resourceVersion } = object.metadata;
    if (resourceVersion === undefined || !this.hasMore(object, statement)) return false;
    const { client, owner, fieldNames, conditionTypes } = this.#options;
    const stated = new Set(statement.conditions.map(({ type }) => type));
    const conditions = (object.status?.conditions ?? []).filter(
      ({ type }) => stated.has(type) || !conditionTypes.includes(type),
    );
    const gone = fieldNames.filter((name) => statement.fields?.[name] === undefined).map((name) => [name, null]);
    const status = { ...Object.fromEntries(gone), conditions };
    try {
      const fields = { metadata: { resourceVersion }, status };
      await client.patch(object.metadata.name, 'merge', fields, { subresource: 'status', fieldManager: owner, signal });
    } catch (error) {
      // Somebody was quicker: the change brings the object here again.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    return true;
  }

  #tell(object: T, conditions: readonly StatedCondition[]): void {
    for (const { type, status, reason, message, isWarning = false } of conditions) {
      const old = findCondition(object.status?.conditions, type);
      const isNews =
        old === undefined ? status === 'True' || isWarning : old.status !== status || old.reason !== reason;
      if (!isNews) continue;
      // Not waited for: a recorder never fails, and no host is to stand in line behind the events of another.
      void this.#options.recorder.record(object, isWarning ? 'Warning' : 'Normal', `${type}${reason}`, message);
    }
  }
}
