import type { ComputeInstance } from '@smalt/compute';
import {
  isQuiet,
  nextRecovery,
  type InstanceEvent,
  type InstanceFacts,
  type RecoveryAction,
  type RecoveryAnswer,
  type RecoveryRecord,
} from '@smalt/instance-recovery';
import { judgeInstance } from '@smalt/recovery-policy';
import { messageOf } from '@smalt/service-runtime';

import { isLeadLost } from '../ha-service-error.ts';
import { JournalKind, type JournalEntry } from '../ports/incident-store.ts';
import type { StoredEvent } from '../ports/telemetry-store.ts';
import { call } from './engine-context.ts';
import type { FleetLook } from './fleet-look.ts';
import type { WorkerContext } from './incident-worker.ts';
import { RecoveryDocuments } from './recovery-documents.ts';

const PAGE = 500;
const MOST_AT_ONCE = 4;
const ACT_WITHIN_MS = 5_000;

/** Brings back single instances that crashed, hang or cannot write, on hosts that are alive. */
export class InstanceRecoveries {
  readonly #context: WorkerContext;
  readonly #documents: RecoveryDocuments;
  readonly #answers = new Map<string, RecoveryAnswer>();

  constructor(context: WorkerContext) {
    this.#context = context;
    this.#documents = new RecoveryDocuments(context);
  }

  /** Takes in the next events and goes on with every recovery that is not at rest. */
  async step(signal: AbortSignal): Promise<void> {
    const { ports, latestLook } = this.#context;
    const look = latestLook();
    if (look === undefined) return;
    await this.#documents.load(signal);
    const { after } = this.#documents;
    const page = await call(this.#context, 'reading events', signal, (inner) =>
      ports.store.telemetry.events(after, PAGE, inner),
    );
    const byInstance = Map.groupBy(page, ({ event }) => event.domain.uuid);
    const restless = [...this.#documents.all()].filter(([, { record }]) => !isQuiet(record)).map(([id]) => id);
    const failures = await this.#each(new Set([...byInstance.keys(), ...restless]), (id) =>
      this.#recover(id, byInstance.get(id) ?? [], look, signal),
    );
    const last = page.at(-1);
    // What could not be taken in is read again; those that have taken it in know so.
    if (last !== undefined && failures === 0) await this.#documents.saveCursor(last.id, signal);
  }

  /** A few at a time; returns how many failed. */
  async #each(ids: ReadonlySet<string>, run: (id: string) => Promise<void>): Promise<number> {
    const { logger } = this.#context.ports;
    const queue = [...ids];
    let failures = 0;
    const work = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        try {
          await run(id);
        } catch (error) {
          if (isLeadLost(error)) throw error;
          failures += 1;
          logger.warn({ instance: id, error: messageOf(error) }, 'an instance could not be looked after');
        }
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
    return failures;
  }

  async #recover(id: string, page: readonly StoredEvent[], look: FleetLook, signal: AbortSignal): Promise<void> {
    const { ports } = this.#context;
    const kept = this.#documents.all().get(id);
    const events = page.filter((event) => kept?.heard.includes(event.id) !== true);
    const facts = await this.#facts(id, look, signal);
    const now = ports.clock.now();
    const settings = look.settings.instanceRecovery;
    const { record, action } = nextRecovery(kept?.record, events.map(toInstanceEvent), facts, { settings, now });
    const heard = page.map((event) => event.id);
    if (record === undefined) {
      if (kept !== undefined) await this.#documents.delete(id, signal);
    } else if (record !== kept?.record || events.length > 0) {
      await this.#documents.save(id, { record, heard }, signal);
    }
    this.#answers.delete(id);
    if (record !== undefined && isNews(kept?.record, record)) await this.#tell(record, facts, signal);
    if (action !== undefined) this.#start(id, action, now);
  }

  #start(id: string, action: RecoveryAction, decidedAt: number): void {
    const { background, ports } = this.#context;
    if (ports.clock.now() - decidedAt > ACT_WITHIN_MS) {
      this.#answers.set(id, { isTaken: false, message: 'the order came too late and was not given' });
      return;
    }
    background.start(`instance ${id}`, async (signal) => {
      try {
        await call(this.#context, action.kind, signal, (inner) => this.#carryOut(id, action, inner));
        this.#answers.set(id, { isTaken: true, message: `${action.kind} was taken` });
      } catch (error) {
        if (signal.aborted) throw error;
        this.#answers.set(id, { isTaken: false, message: messageOf(error) });
      }
    });
  }

  async #carryOut(id: string, action: RecoveryAction, signal: AbortSignal): Promise<void> {
    const { instances, moves } = this.#context.ports.compute;
    switch (action.kind) {
      case 'restart':
      case 'start':
        return await instances.restart(id, signal);
      case 'move':
        return await moves.startCold(id, signal);
      case 'confirm-move':
        return await moves.confirm(id, signal);
    }
  }

  async #facts(id: string, look: FleetLook, signal: AbortSignal): Promise<InstanceFacts | undefined> {
    const { compute } = this.#context.ports;
    const answer = this.#answers.get(id);
    const found = await call(this.#context, 'reading an instance', signal, (inner) => compute.instances.get(id, inner));
    if (found === undefined) return undefined;
    const host = this.#fleetName(found, look);
    const others = [...this.#documents.all()].filter(
      ([other, { record }]) => other !== id && (record.state === 'restarting' || record.state === 'moving'),
    );
    const { name, state, stateText, isLocked } = found;
    return {
      id,
      name,
      state,
      stateText,
      isLocked,
      hostName: host,
      isRelevant: await this.#isRelevant(found, host, look, signal),
      hostObjection: host === undefined ? 'its host is not known' : objectionTo(host, look),
      othersUnderWay: others.length,
      ...(answer !== undefined && { answer }),
    };
  }

  /** The fleet may know a host by another name than the compute system does. */
  #fleetName({ hostName }: ComputeInstance, look: FleetLook): string | undefined {
    if (hostName === undefined || look.hosts.has(hostName)) return hostName;
    const identity = this.#context.fleet.compute.named(hostName);
    for (const [name, { cluster }] of look.hosts) {
      if (identity !== undefined && cluster?.identity?.serviceId === identity.serviceId) return name;
    }
    return hostName;
  }

  async #isRelevant(
    instance: ComputeInstance,
    host: string | undefined,
    look: FleetLook,
    signal: AbortSignal,
  ): Promise<boolean> {
    const rules = look.settings.policy.instances;
    const identity = host === undefined ? undefined : look.hosts.get(host)?.cluster?.identity;
    if (identity === undefined || !rules.sources.includes('aggregate')) {
      return judgeInstance(instance, { aggregates: [] }, rules).isRelevant;
    }
    const { compute } = this.#context.ports;
    const { known, joined } = await call(this.#context, 'listing aggregates', signal, (inner) =>
      compute.aggregates.membership(identity, inner),
    );
    return judgeInstance(instance, { aggregates: known.filter(({ id }) => joined.has(id)) }, rules).isRelevant;
  }

  async #tell(record: RecoveryRecord, facts: InstanceFacts | undefined, signal: AbortSignal): Promise<void> {
    const { ports } = this.#context;
    const entry: JournalEntry = {
      at: ports.clock.now(),
      kind: JournalKind.instanceRecovery,
      severity: record.state === 'failed' ? 'critical' : record.state === 'watching' ? 'info' : 'warning',
      host: facts?.hostName ?? record.host,
      incidentId: undefined,
      instanceId: record.instanceId,
      message: record.message,
      by: undefined,
    };
    await call(this.#context, 'telling of an instance', signal, (inner) => ports.store.journal.append([entry], inner));
  }
}

/** Why nothing is done on a host now. */
function objectionTo(host: string, look: FleetLook): string | undefined {
  const { isPaused, isDryRun } = look.settings.detection.brakes;
  if (isPaused) return 'high availability is paused';
  if (isDryRun) return 'this is a dry run';
  const seen = look.hosts.get(host);
  if (seen === undefined) return `${host} is not known`;
  const { view } = seen;
  if (look.inIncident.has(host)) return `${host} has an incident`;
  if (view.isHeld) return `${host} is held after an incident`;
  if ((view.maintenance ?? '') !== '') return `${host} is in maintenance: ${view.maintenance}`;
  if (!view.isHighlyAvailable) return `${host} is not highly available`;
  const judgement = look.judgement.judgements.get(host)?.kind ?? 'unknown';
  return judgement === 'alive' ? undefined : `${host} is ${judgement}`;
}

function isNews(before: RecoveryRecord | undefined, { state, restarts, moves, trouble }: RecoveryRecord): boolean {
  if (before === undefined) return trouble !== undefined || state !== 'watching';
  const isTried = before.restarts.length !== restarts.length || before.moves.length !== moves.length;
  return before.state !== state || isTried || (before.trouble === undefined) !== (trouble === undefined);
}

function toInstanceEvent({ host, event, storedAt }: StoredEvent): InstanceEvent {
  const { time, ...content } = event;
  const hostTime = time === undefined ? Number.NaN : Date.parse(time);
  return { host, at: storedAt, event: content, ...(Number.isFinite(hostTime) && { hostTime }) };
}
