import type { ComputeInstance } from '@smalt/compute';
import {
  isQuiet,
  nextRecovery,
  takeInGoodNews,
  tellsTrouble,
  type InstanceEvent,
  type InstanceFacts,
  type NextRecovery,
  type RecoveryAction,
  type RecoveryAnswer,
  type RecoveryRecord,
} from '@smalt/instance-recovery';
import { judgeInstance } from '@smalt/recovery-policy';
import { messageOf } from '@smalt/service-runtime';

import { isLeadLost } from '../../ha-service-error.ts';
import { JournalKind, type JournalEntry } from '../../ports/incident-store.ts';
import type { StoredEvent } from '../../ports/telemetry-store.ts';
import { call } from '../engine-context.ts';
import type { FleetLook } from '../fleet/fleet-look.ts';
import { freshLook } from '../fleet/fresh-look.ts';
import type { WorkerContext } from '../incidents/worker-context.ts';
import { ACT_WITHIN_MS } from '../timing/act-within.ts';
import { Moment } from '../timing/moment.ts';
import { carryOutRecovery } from './carry-out-recovery.ts';
import { RebootWatch } from './reboot-watch.ts';
import { RecoveryDocuments } from './recovery-documents.ts';

const PAGE = 500;
const MOST_AT_ONCE = 4;
const TOO_LATE = 'nothing is done: it could not be looked after before what was told of it was history; look at it';

/** What is new of one instance. */
interface News {
  readonly page: readonly StoredEvent[];
  readonly reboot: InstanceEvent | undefined;
}

/** An instance that is looked at, and what its hypervisor calls it, where that was told. */
interface Wanted {
  readonly id: string;
  readonly domainName: string | undefined;
}

/** Brings back single instances that crashed, hang or cannot write, on hosts that are alive. */
export class InstanceRecoveries {
  readonly #context: WorkerContext;
  readonly #documents: RecoveryDocuments;
  readonly #reboots: RebootWatch;
  readonly #answers = new Map<string, RecoveryAnswer>();

  constructor(context: WorkerContext) {
    this.#context = context;
    this.#documents = new RecoveryDocuments(context);
    this.#reboots = new RebootWatch(context);
  }

  /** Takes in the next events and goes on with every recovery that is not at rest. */
  async step(signal: AbortSignal): Promise<void> {
    const { ports, latestLook } = this.#context;
    const look = latestLook();
    if (look === undefined) return;
    await this.#documents.load(signal);
    const rebooted = await this.#reboots.look(look, signal);
    const { after } = this.#documents;
    const page = await call(this.#context, 'reading events', signal, (inner) =>
      ports.store.telemetry.events(after, PAGE, inner),
    );
    const { isEnabled, maximumEventAgeMs } = look.settings.instanceRecovery;
    // Nobody takes anything in then, but what was read may go.
    const byInstance = isEnabled
      ? Map.groupBy(page, ({ event }) => event.domain.uuid)
      : new Map<string, StoredEvent[]>();
    const restless = [...this.#documents.all()].filter(([, { record }]) => !isQuiet(record)).map(([id]) => id);
    const lost = isEnabled ? rebooted : new Map<string, InstanceEvent>();
    const failed = await this.#each(new Set([...byInstance.keys(), ...restless, ...lost.keys()]), (id) =>
      this.#recover(id, { page: byInstance.get(id) ?? [], reboot: lost.get(id) }, signal),
    );
    for (const [id, { host }] of lost) if (failed.has(id)) this.#reboots.askAgain(host, id);
    // What could not be taken in is read again, unless it is history by now; those that have taken it in know so.
    const youngSince = ports.clock.now() - maximumEventAgeMs;
    const unread = page.findIndex(({ event, storedAt }) => failed.has(event.domain.uuid) && storedAt > youngSince);
    const taken = unread === -1 ? page : page.slice(0, unread);
    await this.#tellLate(
      taken.filter(({ event }) => failed.has(event.domain.uuid)),
      signal,
    );
    const last = taken.at(-1);
    if (last !== undefined) await this.#documents.saveCursor(last.id, signal);
  }

  /** Trouble that became history while its instance could not be looked after is told of, though nothing is done. */
  async #tellLate(passedOver: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
    const troubles = passedOver.filter((event) => tellsTrouble(toInstanceEvent(event)));
    for (const [id, told] of Map.groupBy(troubles, ({ event }) => event.domain.uuid)) {
      if (this.#documents.all().get(id)?.record.trouble !== undefined) continue;
      await this.#tell(id, { severity: 'warning', message: TOO_LATE }, told.at(-1)?.host, signal);
    }
  }

  /** A few at a time; returns those that failed. */
  async #each(ids: ReadonlySet<string>, run: (id: string) => Promise<void>): Promise<ReadonlySet<string>> {
    const { logger } = this.#context.ports;
    const queue = [...ids];
    const failed = new Set<string>();
    const work = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        try {
          await run(id);
        } catch (error) {
          if (isLeadLost(error)) throw error;
          failed.add(id);
          logger.warn({ instance: id, error: messageOf(error) }, 'an instance could not be looked after');
        }
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
    return failed;
  }

  async #recover(id: string, { page, reboot }: News, signal: AbortSignal): Promise<void> {
    const { ports } = this.#context;
    const kept = this.#documents.all().get(id);
    const told = page.filter((event) => kept?.heard.includes(event.id) !== true).map(toInstanceEvent);
    const events = reboot === undefined ? told : [...told, reboot];
    // Those before it may have taken a while, and its host may have died meanwhile.
    const look = freshLook(this.#context);
    if (look === undefined) throw new Error('the last look at the fleet is too old to go by');
    const settings = look.settings.instanceRecovery;
    const quiet = takeInGoodNews(id, kept?.record, events, { settings, now: ports.clock.now() });
    const facts =
      quiet === undefined
        ? await this.#facts({ id, domainName: page.at(-1)?.event.domain.name }, look, signal)
        : undefined;
    const decided = new Moment(ports.clock);
    const next = quiet ?? nextRecovery(kept?.record, events, facts, { settings, now: decided.at });
    const { record, action } = next;
    // Before it is stored: whoever is stopped in between has it told twice rather than never.
    await this.#tell(id, lineOf(kept?.record, next), facts?.hostName ?? record?.host ?? page.at(-1)?.host, signal);
    const heard = page.map((event) => event.id);
    if (record === undefined) {
      if (kept !== undefined) await this.#documents.delete(id, signal);
    } else if (record !== kept?.record || events.length > 0) {
      await this.#documents.save(id, { record, heard }, signal);
    }
    this.#answers.delete(id);
    if (action !== undefined) this.#start(id, action, decided);
  }

  #start(id: string, action: RecoveryAction, decided: Moment): void {
    const { background } = this.#context;
    if (decided.ageMs() > ACT_WITHIN_MS) {
      this.#answers.set(id, { isTaken: false, message: 'the order came too late and was not given' });
      return;
    }
    background.start(`instance ${id}`, async (signal) => {
      try {
        await carryOutRecovery(this.#context, id, action, signal);
        this.#answers.set(id, { isTaken: true, message: `${action.kind} was taken` });
      } catch (error) {
        if (signal.aborted || isLeadLost(error)) throw error;
        this.#answers.set(id, { isTaken: false, message: messageOf(error) });
      }
    });
  }

  async #facts({ id, domainName }: Wanted, look: FleetLook, signal: AbortSignal): Promise<InstanceFacts | undefined> {
    const { compute } = this.#context.ports;
    const answer = this.#answers.get(id);
    const found = await call(this.#context, 'reading an instance', signal, (inner) =>
      compute.instances.get(id, inner, domainName),
    );
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

  async #tell(
    instanceId: string,
    line: Pick<JournalEntry, 'severity' | 'message'> | undefined,
    host: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { ports } = this.#context;
    if (line === undefined) return;
    const entry: JournalEntry = {
      ...line,
      at: ports.clock.now(),
      kind: JournalKind.instanceRecovery,
      host,
      incidentId: undefined,
      instanceId,
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
  if (view.policyObjection !== undefined) return view.policyObjection;
  const judgement = look.judgement.judgements.get(host)?.kind ?? 'unknown';
  return judgement === 'alive' ? undefined : `${host} is ${judgement}`;
}

/** What is told of a step: the news, or why trouble that was told of is not followed. */
function lineOf(
  before: RecoveryRecord | undefined,
  { record, dropped }: NextRecovery,
): Pick<JournalEntry, 'severity' | 'message'> | undefined {
  if (record !== undefined && isNews(before, record)) {
    const severity = record.state === 'failed' ? 'critical' : record.state === 'watching' ? 'info' : 'warning';
    return { severity, message: record.message };
  }
  return dropped === undefined ? undefined : { severity: 'info', message: `nothing is done: ${dropped}` };
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
