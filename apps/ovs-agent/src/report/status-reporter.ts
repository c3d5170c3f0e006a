import { backOffMs, pauseMs, StatusWriter, WakeUp, WriteBudget, type Clock } from '@smalt/controller-runtime';
import { isKubeError, type ResourceClient } from '@smalt/kube';
import type { OVSNode, OVSNodeStatus } from '@smalt/ovs-api';
import { messageOf, type Logger } from '@smalt/service-runtime';

import { decideWrite } from './decide-write.ts';
import { isAsWanted, wantedObject, type ObjectFacts } from './wanted-object.ts';
import type { WatchedOvsNode } from './watched-ovs-node.ts';

const FIELD_MANAGER = 'smalt-ovs-agent';
/** A link that goes down changes several things one after the other. */
const SHORTEST_PAUSE_MS = 20;
/** What happens now and then is told at once. A link that flaps must not cost the API server a write each time. */
const BURST = 8;
/** An object is best made as that of its Node, but where nobody tells of Nodes it is made as well. */
const NODE_WAIT_MS = 10_000;

export interface ReporterParts {
  readonly nodeName: string;
  readonly namespace: string;
  readonly node: WatchedOvsNode;
  readonly client: Pick<ResourceClient<OVSNode>, 'apply' | 'applyStatus'>;
  readonly countersMs: number;
  /** How many writes there may be a minute, beside a few at once now and then. */
  readonly writesPerMinute: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly countWrite: (result: 'written' | 'failed') => void;
}

interface Written {
  readonly uid: string | undefined;
  readonly status: OVSNodeStatus;
  readonly at: number;
}

/** Makes the OVSNode and keeps it as it should be: what is stated is written at once, counters now and then. */
export class StatusReporter {
  readonly #parts: ReporterParts;
  readonly #writer: StatusWriter<OVSNode>;
  readonly #changed: WakeUp;
  readonly #budget: WriteBudget;
  #status: OVSNodeStatus | undefined;
  #annotations: Readonly<Record<string, string>> = {};
  #written: Written | undefined;
  /** The uid of a Node that the object was not allowed to be given to. */
  #refusedOwner: string | undefined;
  #failures = 0;
  #failure: string | undefined;

  constructor(parts: ReporterParts) {
    this.#parts = parts;
    this.#writer = new StatusWriter(parts.client, parts.node.informer, FIELD_MANAGER, parts.clock);
    this.#changed = new WakeUp(parts.clock);
    // Whoever wants counters more often than that gets them.
    const refillMs = Math.min(60_000 / parts.writesPerMinute, parts.countersMs);
    this.#budget = new WriteBudget({ burst: BURST, refillMs });
  }

  /** Why the newest status is not in the API, if so. */
  get obstacle(): string | undefined {
    if (this.#failure !== undefined) return this.#failure;
    return this.#written === undefined ? 'nothing was written yet' : undefined;
  }

  state(status: OVSNodeStatus): void {
    this.#status = status;
    this.#changed.ring();
  }

  /** What the OVSNode carries for those who want to reach this agent. */
  annotate(annotations: Readonly<Record<string, string>>): void {
    this.#annotations = annotations;
    this.#changed.ring();
  }

  /** Writes until the signal fires. While the API is away the newest status waits, and only that. */
  async run(signal: AbortSignal): Promise<void> {
    const { node } = this.#parts;
    const stop = node.onChange(() => this.#changed.ring());
    try {
      await node.informer.whenSynced(signal).catch(() => undefined);
      await node.whenNodeSought(AbortSignal.any([signal, AbortSignal.timeout(NODE_WAIT_MS)]));
      let waitMs = 0;
      while (!signal.aborted) {
        await this.#changed.wait(waitMs, signal);
        if (!signal.aborted) waitMs = await this.#bring(signal);
      }
    } finally {
      stop();
    }
  }

  /** Brings the object up to date, and returns how long there is nothing to do unless something changes. */
  async #bring(signal: AbortSignal): Promise<number> {
    const { clock } = this.#parts;
    const budgetMs = this.#budget.waitMs(clock.monotonic());
    // Whatever is stated meanwhile, the newest of it is written then.
    if (budgetMs > 0) await clock.wait(budgetMs, signal).catch(() => undefined);
    if (signal.aborted) return 0;
    const startedAt = clock.monotonic();
    try {
      if (await this.#bringObject(signal)) return Infinity;
      const { wasSent, waitMs } = await this.#bringStatus(signal);
      this.#succeed();
      if (wasSent)
        await clock.wait(pauseMs(clock.monotonic() - startedAt, SHORTEST_PAUSE_MS), signal).catch(() => undefined);
      return waitMs;
    } catch (error) {
      if (!signal.aborted) await this.#fail(error, signal);
      return 0;
    }
  }

  /** Makes the object, or mends it. Returns whether there is none to write a status to yet: the watch will tell. */
  async #bringObject(signal: AbortSignal): Promise<boolean> {
    const { node, nodeName, namespace, client, logger } = this.#parts;
    const { current } = node;
    // It is about to go, and comes back when it is gone.
    if (current?.metadata.deletionTimestamp !== undefined) return true;
    const nodeUid = node.nodeUid === this.#refusedOwner ? undefined : node.nodeUid;
    const facts: ObjectFacts = { nodeName, nodeUid, annotations: this.#annotations };
    if (current !== undefined && isAsWanted(current, facts)) return false;
    try {
      await client.apply(nodeName, wantedObject(facts), {
        namespace,
        fieldManager: FIELD_MANAGER,
        force: true,
        signal,
      });
    } catch (error) {
      if (current === undefined || nodeUid === undefined || !isKubeError(error, 'forbidden')) throw error;
      // Where owners are enforced, only who may delete an object may give it to one after it was made.
      logger.warn({ error }, 'the OVSNode cannot be given to its Node, and stays when that goes');
      this.#refusedOwner = nodeUid;
      return await this.#bringObject(signal);
    }
    if (current === undefined) logger.info({ ovsNode: `${namespace}/${nodeName}` }, 'made the OVSNode of this node');
    return current === undefined;
  }

  async #bringStatus(signal: AbortSignal): Promise<{ readonly wasSent: boolean; readonly waitMs: number }> {
    const { node, clock, countersMs } = this.#parts;
    const { uid, generation } = node.current?.metadata ?? {};
    if (this.#status === undefined) return { wasSent: false, waitMs: Infinity };
    const status = withGeneration(this.#status, generation);
    const written = this.#written?.uid === uid ? this.#written : undefined;
    const ageMs = clock.monotonic() - (written?.at ?? 0);
    const decision = decideWrite({ written: written?.status, status, ageMs, countersMs });
    const waitMs = decision.kind === 'later' ? decision.inMs : Infinity;
    const wanted = decision.kind === 'write' ? status : (written?.status ?? status);
    // Whether somebody has written over it can be told only by an object that is not older than our own write.
    if (decision.kind !== 'write' && !this.#writer.hasSeen(node.key)) return { wasSent: false, waitMs };
    const wasSent = await this.#writer.apply(node.key, { ...wanted }, signal);
    if (wasSent) {
      this.#parts.countWrite('written');
      this.#budget.take(clock.monotonic());
    }
    if (decision.kind === 'write') this.#written = { uid, status, at: clock.monotonic() };
    return { wasSent, waitMs };
  }

  #succeed(): void {
    if (this.#failures > 0) this.#parts.logger.info({ failures: this.#failures }, 'the OVSNode is written again');
    this.#failures = 0;
    this.#failure = undefined;
  }

  /** What is stated meanwhile takes the place of what could not be written; a sign of life from the API ends the wait. */
  async #fail(error: unknown, signal: AbortSignal): Promise<void> {
    const { logger, countWrite, random, node, clock } = this.#parts;
    this.#failures++;
    countWrite('failed');
    const message = messageOf(error);
    const delayMs = backOffMs(this.#failures, random());
    if (message !== this.#failure) logger.warn({ error, delayMs }, 'the OVSNode cannot be written; trying again');
    this.#failure = message;
    const alive = new WakeUp(clock);
    const stop = node.informer.onChange(() => alive.ring());
    // Those that are known already are told at once.
    await alive.wait(0, signal);
    await alive.wait(delayMs, signal);
    stop();
    this.#changed.ring();
  }
}

function withGeneration(status: OVSNodeStatus, observedGeneration: number | undefined): OVSNodeStatus {
  if (status.conditions === undefined || observedGeneration === undefined) return status;
  return { ...status, conditions: status.conditions.map((condition) => ({ ...condition, observedGeneration })) };
}
