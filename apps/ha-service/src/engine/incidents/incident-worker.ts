import { isDeepStrictEqual } from 'node:util';

import type { HostIdentity } from '@smalt/compute';
import {
  holdsHost,
  isOver,
  lastLifeAt,
  nextSteps,
  watchedSince,
  type Incident,
  type IncidentAction,
  type IncidentFacts,
  type IncidentWait,
  type NextSteps,
  type PersonDecision,
  type Verdict,
} from '@smalt/failure-detection';
import { messageOf } from '@smalt/service-runtime';

import { HaServiceError, isLeadLost } from '../../ha-service-error.ts';
import type { StoredDecision } from '../../ports/incident-store.ts';
import { askCompute } from './ask-compute.ts';
import { carryOut } from './carry-out.ts';
import { call, order } from '../engine-context.ts';
import type { FleetLook } from '../fleet/fleet-look.ts';
import { freshLook } from '../fleet/fresh-look.ts';
import { IncidentMemory } from './incident-memory.ts';
import { changeLines } from './journal-lines.ts';
import { Moment } from '../timing/moment.ts';
import { ACT_WITHIN_MS } from '../timing/act-within.ts';
import { WakeUp } from '../timing/wake-up.ts';
import type { WorkerContext } from './worker-context.ts';

interface Pass {
  readonly look: FleetLook;
  readonly facts: IncidentFacts;
  readonly identity: HostIdentity | undefined;
  readonly decided: Moment;
}

/** Whether a host is marked as ours, or why not. */
type Marking = 'marked' | 'not-asked' | { readonly problem: string };

/** Works off one incident: gathers what is known, decides, stores what was decided, and only then does it. */
export class IncidentWorker {
  readonly #context: WorkerContext;
  readonly #memory = new IncidentMemory();
  readonly #wakeUp = new WakeUp();
  #incident: Incident;
  /** What was being stored when the answer was lost, and what was to be done then. */
  #doubtful: (NextSteps & { readonly decidedAt: number }) | undefined;

  constructor(context: WorkerContext, incident: Incident) {
    this.#context = context;
    this.#incident = incident;
  }

  get incident(): Incident {
    return this.#incident;
  }

  /** What it waits for. One that is about to go on does not wait any more, whether that is stored already or not. */
  get wait(): IncidentWait | undefined {
    const next = this.#doubtful?.incident;
    return next === undefined || next.wait?.needsPerson === true ? this.#incident.wait : next.wait;
  }

  /** Has it look again soon. */
  wake(): void {
    this.#wakeUp.wake();
  }

  /** Goes on until the incident is over. What fails is tried again; only the lost lead and the signal end it before. */
  async run(signal: AbortSignal): Promise<void> {
    const { ports } = this.#context;
    while (!isOver(this.#incident)) {
      try {
        await this.#pass(signal);
      } catch (error) {
        if (signal.aborted || isLeadLost(error)) throw error;
        const { id, host } = this.#incident;
        ports.logger.error({ incident: id, host, error: messageOf(error) }, 'an incident could not go on');
      }
      if (!isOver(this.#incident)) await this.#wakeUp.sleep(ports.clock, this.#paceMs(), signal);
    }
  }

  #paceMs(): number {
    const { lookIntervalMs, followIntervalMs, detection } = this.#context.settings();
    switch (this.#incident.state) {
      case 'fencing': {
        const { wait, readings } = this.#incident;
        // While a person is waited for, power is read now and then; only a row of `off` is read on at once.
        const isPatient = wait?.needsPerson === true && readings.at(-1)?.power !== 'off';
        return isPatient ? lookIntervalMs : Math.min(lookIntervalMs, detection.recovery.readIntervalMs);
      }
      case 'forcing-down':
        return Math.min(lookIntervalMs, detection.recovery.readIntervalMs);
      case 'rebuilding':
        return Math.max(lookIntervalMs, followIntervalMs);
      case 'detected':
      case 'recovered':
      case 'acquitted':
      case 'closed':
      case 'failed':
        return lookIntervalMs;
    }
  }

  async #pass(signal: AbortSignal): Promise<void> {
    await this.#settleDoubt(signal);
    const pass = await this.#gather(signal);
    if (pass === undefined) return;
    const { look, facts, decided } = pass;
    const before = this.#incident;
    const steps = nextSteps(before, facts, look.settings.detection, decided.at);
    const { incident, actions } = steps;
    if (incident.revision !== before.revision) await this.#save(before, steps, decided.at, signal);
    else if (actions.length > 0) await this.#confirmLead(signal);
    this.#memory.forget(facts);
    this.#act(actions, pass, signal);
  }

  /** After a lost answer, finds out whether it was stored. What was to be done then was not, and is decided anew. */
  async #settleDoubt(signal: AbortSignal): Promise<void> {
    const doubtful = this.#doubtful;
    if (doubtful === undefined) return;
    const { incident: wanted, actions, decidedAt } = doubtful;
    const stored = await this.#stored(signal);
    this.#doubtful = undefined;
    if (stored?.revision === wanted.revision && isSame(stored, wanted)) {
      this.#incident = wanted;
      for (const action of actions) this.#drop(action, decidedAt, 'it was not known whether it was stored');
    } else if (stored?.revision !== this.#incident.revision) throw this.#leadLost();
  }

  async #gather(signal: AbortSignal): Promise<Pass | undefined> {
    const { ports, fleet, latestLook } = this.#context;
    const { id, host } = this.#incident;
    // Without one neither its object nor its segment is known, and what is asked by then would be understood wrongly.
    if (latestLook() === undefined) return undefined;
    const decisions = await call(this.#context, 'reading decisions', signal, (inner) =>
      ports.store.incidents.decisions(id, inner),
    );
    const { identity, ...asked } = await askCompute(this.#context, this.#incident, signal);
    const marking = await this.#mark(signal);
    // The newest look, and nothing is waited for from here on to the decision.
    const look = freshLook(this.#context);
    if (look === undefined) return undefined;
    if (marking === 'not-asked' && this.#mayBeOrdered(look)) {
      // It was condemned meanwhile: first it is marked.
      this.wake();
      return undefined;
    }
    const decided = new Moment(ports.clock);
    const view = look.hosts.get(host)?.view;
    const verdict = look.judgement.verdicts.find((each) => each.host === host);
    const { isPaused, isDryRun } = look.settings.detection.brakes;
    const signals = view?.signals ?? fleet.signalsOf(host);
    const facts: IncidentFacts = {
      ...this.#memory.recall(this.#incident),
      judgement: look.judgement.judgements.get(host),
      verdict: marked(verdict, marking),
      lastLifeAt: lastLifeAt({ signals }, look.settings.detection.judgement),
      watchedSince: watchedSince({ signals }, look.settings.detection.judgement),
      isPaused: isPaused || isDryRun,
      fenceMethods: ports.power.methodsOf(host),
      ...asked,
      decisions: decisions.filter(isPersonDecision),
    };
    return { look, facts, identity, decided };
  }

  /**
   * Marks the host as ours before anybody may give an order to power it off, so that nothing else acts on it. That it was seen
   * to be marked is not enough: the watch may hang, and a person have taken the host since. Where it fails there is no order.
   */
  async #mark(signal: AbortSignal): Promise<Marking> {
    const { ports, latestLook } = this.#context;
    const { host } = this.#incident;
    const look = latestLook();
    if (look === undefined || !this.#mayBeOrdered(look)) return 'not-asked';
    try {
      await order(this.#context, { what: 'setting spec.maintenance' }, signal, (inner) =>
        ports.cluster.claim(host, inner),
      );
      return 'marked';
    } catch (error) {
      if (signal.aborted || isLeadLost(error)) throw error;
      return { problem: `spec.maintenance of ${host} cannot be set to ha: ${messageOf(error)}` };
    }
  }

  /** Whether an order to power the host off may follow from a look. */
  #mayBeOrdered({ judgement }: FleetLook): boolean {
    const { id, state } = this.#incident;
    if (state !== 'detected' && state !== 'fencing') return false;
    return judgement.verdicts.some((each) => each.kind === 'proceed' && each.incidentId === id);
  }

  async #save(before: Incident, steps: NextSteps, now: number, signal: AbortSignal): Promise<void> {
    const { store } = this.#context.ports;
    const { incident } = steps;
    // First, so that no kill in between leaves a host whose incident is over and that nobody holds.
    if (holdsHost(incident)) {
      await order(this.#context, { what: 'holding the host' }, signal, (inner) =>
        store.hosts.hold(incident.host, incident.id, inner),
      );
    }
    this.#doubtful = { ...steps, decidedAt: now };
    const outcome = await order(this.#context, { what: 'storing an incident' }, signal, (inner) =>
      store.incidents.save(incident, changeLines(before, incident, now), inner),
    );
    this.#doubtful = undefined;
    if (outcome === 'overtaken') throw this.#leadLost();
    this.#incident = incident;
  }

  /** Orders that are repeated change nothing in the record; that it is still ours has to be seen all the same. */
  async #confirmLead(signal: AbortSignal): Promise<void> {
    const stored = await this.#stored(signal);
    if (stored?.revision !== this.#incident.revision) throw this.#leadLost();
  }

  async #stored(signal: AbortSignal): Promise<Incident | undefined> {
    const { store } = this.#context.ports;
    return await call(this.#context, 'reading an incident', signal, (inner) =>
      store.incidents.get(this.#incident.id, inner),
    );
  }

  #act(actions: readonly IncidentAction[], { decided, identity }: Pass, signal: AbortSignal): void {
    const { background, fleet } = this.#context;
    const incident = this.#incident;
    if (signal.aborted) return;
    for (const action of actions) {
      const objection = this.#objectionTo(action, decided);
      if (objection !== undefined) {
        this.#drop(action, decided.at, objection);
        continue;
      }
      const context = { ...this.#context, incident, identity, memory: this.#memory, suspects: fleet.suspects };
      const onAnswer = (): void => this.wake();
      background.start(taskName(incident, action), (inner) => carryOut({ ...context, onAnswer }, action, inner));
    }
  }

  /** Why an order is not given after all. To read harms nobody, and an answer that never comes would break a proof. */
  #objectionTo(action: IncidentAction, decided: Moment): string | undefined {
    if (action.kind === 'read-power') return undefined;
    const lateMs = decided.ageMs();
    if (lateMs > ACT_WITHIN_MS) return `it came ${lateMs} ms late`;
    // The next leader may not have taken the incident over yet, so the store does not tell.
    return this.#context.ports.isLeading?.() === false ? 'the lease was not renewed in time' : undefined;
  }

  /** Notes that an order was never given, so that nobody waits for its answer. */
  #drop(action: IncidentAction, decidedAt: number, why: string): void {
    const { logger } = this.#context.ports;
    const { id, host, instances } = this.#incident;
    logger.warn({ incident: id, host, action: action.kind, why }, 'an order is not given');
    if (action.kind === 'power-off') this.#memory.withholdFence(decidedAt);
    if (action.kind !== 'evacuate') return;
    const asked = instances.find((record) => record.id === action.instanceId);
    const message = `the order was not given: ${why}`;
    if (asked !== undefined) this.#memory.hearEvacuation(asked, { kind: 'not-done', message });
  }

  #leadLost(): HaServiceError {
    const { id, host } = this.#incident;
    return new HaServiceError(
      'lead-lost',
      `incident ${id} of ${host} was changed by another: this replica leads no more`,
    );
  }
}

/** Orders that may be repeated are under way once; each of the others is one of its own. */
function taskName({ id, revision }: Incident, action: IncidentAction): string {
  switch (action.kind) {
    case 'force-down':
    case 'disable':
    case 'clean-up':
      return `order ${id} ${action.kind}`;
    case 'prepare-reserved':
    case 'note-unreserved':
      return `order ${id} ${action.kind} ${action.host}`;
    case 'power-off':
    case 'read-power':
      return `order ${id} ${action.kind} ${revision}`;
    case 'evacuate':
      return `order ${id} evacuate ${action.instanceId} ${revision}`;
    case 'put-off':
      return `order ${id} put-off ${action.instanceId}`;
  }
}

function marked(verdict: Verdict | undefined, marking: Marking): Verdict | undefined {
  if (verdict === undefined || typeof marking === 'string') return verdict;
  const { host, judgement } = verdict;
  return { kind: 'refuse', host, judgement, refusal: { brake: 'maintenance', message: marking.problem } };
}

function isPersonDecision(decision: StoredDecision): decision is PersonDecision & StoredDecision {
  return decision.kind !== 'release';
}

/** Whether two records say the same once stored, where what is undefined is left out and order means nothing. */
function isSame(one: Incident, other: Incident): boolean {
  return isDeepStrictEqual(asStored(one), asStored(other));
}

function asStored(incident: Incident): unknown {
  return JSON.parse(JSON.stringify(incident));
}
