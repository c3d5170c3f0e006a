import { systemClock, type Clock } from '@smalt/controller-runtime';
import { evictionKind, type Eviction } from '@smalt/fleet-api';
import { isAlreadyExists, isConflict, isNotFound, type ResourceClient } from '@smalt/kube';
import { messageOf } from '@smalt/service-runtime';

import type { AgentContext } from '../agent-context.ts';
import { decideEvacuation, isEvacuated } from './decide-evacuation.ts';
import type { EvacuationOutcome, EvacuationStep, EvictionView } from './decide-evacuation.ts';
import { evictionOf, evictionState, isMadeByAgent } from './own-eviction.ts';

const POLL_MS = 1_000;
const PATIENCE_MS = 30_000;
const REQUEST_MS = 5_000;
/** A farewell must not hold the host back. */
const EVENT_MS = 2_000;

export interface EvacuationSettings {
  /** How often to look, while a host waits for it. */
  readonly pollMs?: number | undefined;
  /** How long the API server may be silent before the evacuation is given up. */
  readonly patienceMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

type EvacuationContext = Pick<
  AgentContext,
  'nodeName' | 'session' | 'client' | 'hypervisor' | 'recorder' | 'logger' | 'ignore'
>;

interface Course {
  readonly startedAt: number;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  heardAt: number;
  /** How many guests ran when libvirt was last heard of. */
  running: number | undefined;
  followed: string | undefined;
  /** What was last said of why the host waits although the Eviction is over. */
  said: string | undefined;
}

/** Empties the host by an Eviction, which the operator carries out. */
export class HostEvacuation {
  readonly #context: EvacuationContext;
  readonly #evictions: ResourceClient<Eviction>;
  readonly #clock: Clock;
  readonly #pollMs: number;
  readonly #patienceMs: number;
  #underWay = 0;
  #withdrawal: Promise<void> | undefined;

  constructor(context: EvacuationContext, settings: EvacuationSettings = {}) {
    this.#context = context;
    this.#evictions = context.client.resource(evictionKind);
    this.#clock = settings.clock ?? systemClock;
    this.#pollMs = settings.pollMs ?? POLL_MS;
    this.#patienceMs = settings.patienceMs ?? PATIENCE_MS;
  }

  /**
   * Has the host emptied and resolves when it is, when that failed, or when the time is up: it never takes longer than
   * `limitMs` and a moment. Throws only when the signal fires; what was asked for then stays until `withdraw`.
   */
  async evacuate(limitMs: number, signal: AbortSignal): Promise<EvacuationOutcome> {
    const startedAt = this.#clock.monotonic();
    const nothingYet = { running: undefined, followed: undefined, said: undefined };
    const course: Course = { startedAt, heardAt: startedAt, limitMs, signal, ...nothingYet };
    this.#underWay++;
    try {
      // It could else delete what this evacuation goes by. Its request has a time limit of its own.
      await this.#withdrawal?.catch(() => undefined);
      const outcome = await this.#pursue(course);
      await this.#tellEnd(outcome);
      return outcome;
    } finally {
      this.#underWay--;
    }
  }

  /** Deletes the Eviction that an agent made, now or in an earlier life; those of others stay. */
  async withdraw(signal: AbortSignal): Promise<void> {
    if (this.#underWay > 0) return;
    this.#withdrawal = this.#deleteOwn(AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]));
    await this.#withdrawal;
  }

  async #deleteOwn(signal: AbortSignal): Promise<void> {
    try {
      const eviction = await this.#evictions.get(this.#context.nodeName, { signal });
      if (!isMadeByAgent(eviction)) return;
      await this.#evictions.delete(eviction.metadata.name, { uid: eviction.metadata.uid, signal });
      this.#context.logger.info({ resource: eviction.metadata.name }, 'deleted the Eviction made for a reboot');
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #pursue(course: Course): Promise<EvacuationOutcome> {
    for (;;) {
      const [running, eviction] = await Promise.all([this.#countRunning(course), this.#readEviction(course)]);
      course.signal.throwIfAborted();
      const { followed, limitMs } = course;
      const elapsedMs = this.#clock.monotonic() - course.startedAt;
      const step = decideEvacuation({
        running,
        eviction,
        followed,
        elapsedMs,
        limitMs,
        patienceMs: this.#patienceMs,
      });
      if (step.kind === 'end') return step.outcome;
      await this.#act(step, course);
      await this.#clock.wait(this.#pollMs, course.signal);
    }
  }

  async #act(step: Exclude<EvacuationStep, { kind: 'end' }>, course: Course): Promise<void> {
    switch (step.kind) {
      case 'wait':
        return this.#tellWait(step.why, course);
      case 'follow':
        return this.#follow(step.uid, course);
      case 'create':
        return await this.#attempt('create', course, (signal) => this.#create(signal, course));
      case 'delete': {
        const { nodeName } = this.#context;
        return await this.#attempt('delete', course, (signal) =>
          this.#evictions.delete(nodeName, { uid: step.uid, signal }),
        );
      }
    }
  }

  #tellWait(why: string | undefined, course: Course): void {
    if (why === undefined || why === course.said) return;
    course.said = why;
    const { nodeName, logger } = this.#context;
    logger.warn({ resource: nodeName, step: 'evacuate', why }, 'the host waits for guests: move or stop them');
  }

  // What fails now is tried again at the next look; the view of the API decides for how long.
  async #attempt(verb: string, course: Course, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await run(this.#requestSignal(course));
    } catch (error) {
      course.signal.throwIfAborted();
      if (isAlreadyExists(error) || isNotFound(error) || isConflict(error)) return;
      this.#context.logger.warn({ resource: this.#context.nodeName, verb, error }, 'cannot write the Eviction');
    }
  }

  async #create(signal: AbortSignal, course: Course): Promise<void> {
    const { hypervisor } = this.#context;
    if (hypervisor.current === undefined) return;
    const { metadata } = await this.#evictions.create(evictionOf(hypervisor.current), { signal });
    this.#follow(metadata.uid, course);
  }

  #follow(uid: string | undefined, course: Course): void {
    const { nodeName, logger } = this.#context;
    course.followed = uid;
    logger.info({ resource: nodeName, step: 'evacuate', limitMs: course.limitMs }, 'the host is being emptied');
    // Not waited for: the evacuation matters more than the news of it.
    void this.#record(
      'Normal',
      'EvacuationStarted',
      `Eviction ${nodeName} moves the guests away before the host reboots`,
    );
  }

  async #readEviction(course: Course): Promise<EvictionView> {
    try {
      const { nodeName } = this.#context;
      const eviction = await this.#evictions.get(nodeName, { signal: this.#requestSignal(course) });
      course.heardAt = this.#clock.monotonic();
      return { kind: 'found', uid: eviction.metadata.uid ?? '', state: evictionState(eviction) };
    } catch (error) {
      if (!isNotFound(error)) {
        return { kind: 'unknown', silentMs: this.#clock.monotonic() - course.heardAt, why: messageOf(error) };
      }
      course.heardAt = this.#clock.monotonic();
      return { kind: 'missing' };
    }
  }

  async #countRunning(course: Course): Promise<number | undefined> {
    try {
      course.running = await this.#context.session.connectNumOfDomains({ signal: this.#requestSignal(course) });
    } catch (error) {
      this.#context.ignore(error, 'the Eviction tells as well when the host is empty');
    }
    return course.running;
  }

  #requestSignal({ startedAt, limitMs, signal }: Course): AbortSignal {
    const leftMs = Math.max(1, startedAt + limitMs - this.#clock.monotonic());
    return AbortSignal.any([signal, AbortSignal.timeout(Math.min(REQUEST_MS, Math.ceil(leftMs)))]);
  }

  async #tellEnd(outcome: EvacuationOutcome): Promise<void> {
    const { nodeName, logger } = this.#context;
    const why = 'why' in outcome ? outcome.why : undefined;
    const message = isEvacuated(outcome)
      ? `no guests are left on ${nodeName}: it may reboot`
      : `${nodeName} may reboot although it was not emptied: ${why}`;
    if (isEvacuated(outcome)) logger.info({ resource: nodeName, outcome: outcome.kind }, message);
    else logger.error({ resource: nodeName, outcome: outcome.kind, why }, message);
    const event = isEvacuated(outcome)
      ? this.#record('Normal', 'EvacuationSucceeded', message)
      : this.#record('Warning', 'EvacuationFailed', message);
    await Promise.race([event, this.#clock.wait(EVENT_MS)]);
  }

  async #record(type: 'Normal' | 'Warning', reason: string, message: string): Promise<void> {
    const { hypervisor, recorder } = this.#context;
    if (hypervisor.current !== undefined) await recorder.record(hypervisor.current, type, reason, message);
  }
}
