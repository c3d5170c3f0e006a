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
import { isConflict, isKubeError, isNotFound, type Fields, type ResourceClient } from '@smalt/kube';
import type { Condition, KubernetesObject } from '@smalt/kubernetes';

import { cappedText, withCappedTexts } from './capped-text.ts';
import { settledMessage } from './settled-message.ts';

/** How often leftovers are tried to be removed while others write to the object. */
const REMOVAL_ATTEMPTS = 5;

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
    this.#writer = new StatusWriter(options.client, options.informer, options.owner, options.clock);
  }

  /** Whether the cache has what was stated last; until then decisions would go by old news. */
  hasSeen(object: T): boolean {
    return this.#writer.hasSeen(keyOf(object));
  }

  /** States everything anew. Returns whether anything was written. */
  async state(object: T, statement: Statement, signal: AbortSignal): Promise<boolean> {
    const status = this.#statusOf(object, statement);
    // After a restart there is nothing to write, unless something of ours is there that we no longer say.
    if (!this.hasMore(object, statement)) this.#writer.adopt(keyOf(object), status);
    const isWritten = await this.#write(object, statement, status, signal);
    if (!isWritten) return await this.#removeLeftovers(object, statement, signal);
    this.#tell(object, statement.conditions);
    return true;
  }

  #statusOf(object: T, { fields: said = {}, conditions }: Statement): Fields {
    const now = new Date(this.#options.clock.now());
    const fields = withCappedTexts(said);
    let stated = this.#own(object);
    for (const { isWarning: _, observedGeneration: generation, ...condition } of conditions) {
      const told = findCondition(stated, condition.type)?.message;
      const message = settledMessage(told, cappedText(condition.message));
      stated = withCondition(stated, { ...condition, message }, { generation, now });
    }
    const types = new Set(conditions.map(({ type }) => type));
    stated = stated.filter(({ type }) => types.has(type));
    // An empty list would never compare equal to one in which others have their conditions.
    return stated.length === 0 ? fields : { ...fields, conditions: stated };
  }

  async #write(object: T, statement: Statement, status: Fields, signal: AbortSignal): Promise<boolean> {
    const key = keyOf(object);
    try {
      return await this.#writer.apply(key, status, signal);
    } catch (error) {
      // Of a condition that another program owns too only a part would go, and the rest of it is not valid.
      if (!isKubeError(error, 'invalid') || !(await this.#removeLeftovers(object, statement, signal))) throw error;
      return await this.#writer.apply(key, status, signal);
    }
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
    const { client, owner } = this.#options;
    const { name, uid } = object.metadata;
    let current = object;
    for (let attempts = 1; this.hasMore(current, statement) && current.metadata.uid === uid; attempts++) {
      try {
        const fields = this.#withoutLeftovers(current, statement);
        await client.patch(name, 'merge', fields, { subresource: 'status', fieldManager: owner, signal });
        return true;
      } catch (error) {
        if (isNotFound(error)) return true;
        if (!isConflict(error) || attempts === REMOVAL_ATTEMPTS) throw error;
      }
      current = await client.get(name, { signal });
    }
    return false;
  }

  #withoutLeftovers(object: T, statement: Statement): Fields {
    const { fieldNames, conditionTypes } = this.#options;
    const { resourceVersion } = object.metadata;
    const stated = new Set(statement.conditions.map(({ type }) => type));
    const conditions = (object.status?.conditions ?? []).filter(
      ({ type }) => stated.has(type) || !conditionTypes.includes(type),
    );
    const gone = fieldNames.filter((name) => statement.fields?.[name] === undefined).map((name) => [name, null]);
    // The list is written whole: without the version, what another says meanwhile would be lost.
    return { metadata: { resourceVersion }, status: { ...Object.fromEntries(gone), conditions } };
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
