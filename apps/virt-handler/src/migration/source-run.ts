import { DomainJobType, DomainMigrateFlags, isOperationInvalid, type Connection, type Domain } from '@smalt/libvirt';
import { messageOf } from '@smalt/service-runtime';
import { MigrationMode } from '@smalt/vm-api';

import { confirmMigration } from './confirm-migration.ts';
import { endGuest } from './end-guest.ts';
import { wasBootedWithin } from './host-uptime.ts';
import { judgeFate, type Fate } from './judge-fate.ts';
import { lookAtPeer, type PeerView } from './look-at-peer.ts';
import { lookForGuest, type FoundGuest } from './look-for-guest.ts';
import { openPeer } from './open-peer.ts';
import type { MigrationPlan } from './plan-migration.ts';
import { readPlan } from './read-plan.ts';
import { sendGuest } from './send-guest.ts';
import { SourceDoubt } from './source-doubt.ts';
import type { EndedMigration, SourceOutcome } from './source-outcome.ts';
import type { SourceRunOptions } from './source-run-options.ts';
import { watchProgress, type MigrationProgress } from './watch-progress.ts';
import { fileProblem, GuestLoss, lossText } from './written-loss.ts';

const RETRY_MS = 1_000;
/** Two halves of a guest that have lost each other are brought together again so often. */
const MOST_RECOVERIES = 5;

/** One migration from here, from the first question to libvirt until it is known where the guest is. */
export class SourceRun {
  /** Resolves when it is over or was let go of; never rejects. */
  readonly done: Promise<void>;
  readonly #options: Omit<SourceRunOptions, 'comingPlan'>;
  /** Used by the first attempt to send the guest alone: what comes after that has waited, and looks again. */
  #comingPlan: Promise<MigrationPlan | undefined> | undefined;
  readonly #giveUp: AbortController = new AbortController();
  readonly #stop: AbortController = new AbortController();
  /** When it began, by the clock that never jumps. */
  readonly #begunAt: number;
  /** When this process first asked the target to let the guest run, by the same clock. */
  #askedToRunAt: number | undefined;
  #giveUpReason: string | undefined;
  #progress: MigrationProgress | undefined;
  readonly #doubt: SourceDoubt;
  readonly #loss: GuestLoss;
  #ended: EndedMigration | undefined;
  #isDetected = false;
  /** Whether the target has said that it runs the guest: from then on it never goes on here. */
  #hasArrived = false;
  #hasTried = false;
  /** Those that this process has begun the migration with. */
  #flags: number | undefined;
  #mayHaveMoved: boolean;
  #failure = 'the handler of the source was restarted before the guest had left';
  #recoveries = 0;
  #peerProblem: string | undefined;

  constructor({ comingPlan, ...options }: SourceRunOptions) {
    this.#options = options;
    this.#comingPlan = comingPlan;
    this.#doubt = new SourceDoubt(options);
    this.#loss = new GuestLoss(options);
    this.#mayHaveMoved = !options.isFresh;
    const { clock, startedAt, isFresh } = options;
    // Only of what an earlier handler began does the clock on the wall tell how old it is.
    this.#begunAt = clock.monotonic() - (isFresh ? 0 : Math.max(0, clock.now() - startedAt));
    this.done = this.#run();
  }

  get key(): string {
    return this.#options.key;
  }

  get mode(): MigrationMode | undefined {
    return this.#progress?.mode;
  }

  get ended(): EndedMigration | undefined {
    return this.#ended;
  }

  get progress(): MigrationProgress | undefined {
    return this.#progress;
  }

  /** Why nothing can be done to the guest now, if so: nobody can tell where it is, or what was written down of it. */
  get doubt(): string | undefined {
    return this.#ended === undefined ? this.#doubt.text : undefined;
  }

  /** Whether what was told of a doubt does not hold any more. */
  get isDoubtOver(): boolean {
    return this.#doubt.isOver;
  }

  /** Gives it up, if that is still possible; the guest then stays. */
  giveUp(reason: string): void {
    this.#giveUpReason ??= reason;
    this.#giveUp.abort(new Error(reason));
  }

  /** Takes in that the handler of the target has seen the guest run there. */
  confirmArrival(): void {
    this.#isDetected = true;
  }

  /** Lets go of it without finding out how it ends: the next handler will. */
  async stop(): Promise<void> {
    this.giveUp('the handler of the source ends');
    this.#stop.abort(new Error('the handler of the source ends'));
    await this.done;
  }

  async #run(): Promise<void> {
    const { clock, logger, instance, onChange } = this.#options;
    const { signal } = this.#stop;
    await using _peer = this.#options.comingPeer;
    while (!signal.aborted) {
      try {
        const outcome = await this.#advance(signal);
        if (outcome !== undefined) {
          this.#ended = { outcome, mode: this.mode, endedAt: clock.now() };
          onChange();
          return;
        }
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ error, instance: instance.metadata.name }, 'a migration does not get on; trying again');
      }
      this.#comingPlan = undefined;
      await clock.wait(RETRY_MS, signal).catch(() => undefined);
    }
  }

  /** Goes one step on, and returns how it ended if it has. */
  async #advance(signal: AbortSignal): Promise<SourceOutcome | undefined> {
    const { session, instance, isFresh } = this.#options;
    const guest = await lookForGuest(session, instance, signal);
    const { domain, whereabouts } = guest;
    const isLossKnown = await this.#readLoss();
    const { reason: loss } = this.#loss;
    if (loss !== undefined) return this.#lose(loss, guest, signal);
    // What an earlier handler began is ended by libvirt itself, now that nobody carries it on.
    if (!this.#hasTried && domain !== undefined && (await this.#hasJob(domain, signal))) return undefined;
    // What stands still may have been written off, and is not let go on. What runs here is let be.
    if (!isLossKnown)
      return whereabouts === 'running' && this.#giveUp.signal.aborted ? this.#settle(guest, signal) : undefined;
    const isHere = whereabouts === 'running' || (whereabouts === 'paused' && isFresh);
    if (domain === undefined || !isHere || this.#hasTried || this.#giveUp.signal.aborted) {
      return this.#settle(guest, signal);
    }
    this.#hasTried = true;
    this.#mayHaveMoved = false;
    return (
      (await this.#send(domain, false, signal)) ?? this.#settle(await lookForGuest(session, instance, signal), signal)
    );
  }

  /** Whether it is known if an earlier handler has written the guest off. */
  async #readLoss(): Promise<boolean> {
    if (this.#loss.isRead) return true;
    try {
      await this.#loss.read();
    } catch (error) {
      const problem = `what this node has written down of the guest cannot be read: ${fileProblem(error)}`;
      this.#doubt.tell(
        `${problem}. Until it can be, the guest is neither sent nor let go on: it may have been given up for lost`,
        error,
      );
      return false;
    }
    this.#doubt.end();
    return true;
  }

  async #hasJob(domain: Domain, signal: AbortSignal): Promise<boolean> {
    try {
      const { type } = await this.#options.session.domainGetJobInfo({ domain }, { signal });
      return type === DomainJobType.bounded || type === DomainJobType.unbounded;
    } catch (error) {
      // It does not run, so it has no job.
      if (isOperationInvalid(error)) return false;
      throw error;
    }
  }

  /** Sends the guest; undefined when that failed, and it has to be found out where it is. */
  async #send(domain: Domain, isResumed: boolean, signal: AbortSignal): Promise<SourceOutcome | undefined> {
    const { session, ignore } = this.#options;
    const plan = await this.#plan(domain, isResumed, signal);
    if (plan === undefined) return undefined;
    const over = new AbortController();
    const watch = { ...this.#options, startedAt: this.#begunAt, daemon: session, domain, ...this.#listeners() };
    const watching = watchProgress(watch, over.signal);
    this.#flags = plan.flags;
    const sent = await sendGuest(
      {
        ...this.#options,
        source: session,
        domain,
        plan,
        openPeer: (until) => this.#openPeer(until),
      },
      this.#giveUp.signal,
    );
    over.abort();
    await watching;
    if (sent.kind === 'sent') {
      this.#hasArrived = true;
      if (sent.leftBehind !== undefined) {
        ignore(sent.leftBehind, 'the source of a migration was not told of its success');
        await endGuest(session, domain, signal);
      }
      return { kind: 'moved' };
    }
    this.#failure = messageOf(sent.error);
    this.#askedToRunAt ??= sent.askedToRunAt;
    this.#mayHaveMoved = sent.askedToRunAt !== undefined || this.mode === MigrationMode.postCopy;
    return undefined;
  }

  /** What libvirt is asked for; undefined when that cannot be found out, and the guest is not sent. */
  async #plan(domain: Domain, isResumed: boolean, signal: AbortSignal): Promise<MigrationPlan | undefined> {
    const ahead = isResumed ? undefined : await this.#comingPlan;
    this.#comingPlan = undefined;
    if (ahead !== undefined) return ahead;
    try {
      return await readPlan({ ...this.#options, isResumed }, domain, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#failure = messageOf(error);
      return undefined;
    }
  }

  async #openPeer(signal: AbortSignal): Promise<Connection> {
    const { comingPeer } = this.#options;
    if (comingPeer === undefined || comingPeer.isTaken) return await openPeer(this.#options, signal);
    return await comingPeer.take(signal);
  }

  #listeners(): {
    readonly onProgress: (progress: MigrationProgress) => void;
    readonly onStuck: (reason: string) => void;
  } {
    return {
      onProgress: (progress) => {
        const isNew = progress.mode !== this.#progress?.mode;
        this.#progress = progress;
        if (isNew) this.#options.onChange();
      },
      onStuck: (reason) => this.giveUp(reason),
    };
  }

  /** Finds out where the guest is by asking both ends, and makes it so. */
  async #settle(guest: FoundGuest, signal: AbortSignal): Promise<SourceOutcome | undefined> {
    const { whereabouts } = guest;
    const { instance, isTargetOff, clock } = this.#options;
    const isClear = this.#hasArrived || ['running', 'absent', 'unreachable'].includes(whereabouts);
    const peer: PeerView = isClear ? { whereabouts: 'unreachable' } : await lookAtPeer(this.#options, instance, signal);
    const target = peer.whereabouts;
    this.#peerProblem = peer.problem;
    const wasBooted = wasBootedWithin(clock.monotonic() - (this.#askedToRunAt ?? this.#begunAt), peer.uptimeMs);
    const fate = judgeFate({
      source: whereabouts,
      target,
      mayHaveMoved: this.#mayHaveMoved,
      hasArrived: this.#hasArrived,
      // An earlier handler may have seen it.
      isPostCopy: (this.mode ?? instance.status?.migrationState?.mode) === MigrationMode.postCopy,
      isDetected: this.#isDetected,
      isTargetOff: wasBooted || (target === 'unreachable' && !isClear && (await isTargetOff(signal))),
    });
    return this.#carryOut(fate, guest, signal);
  }

  async #carryOut(fate: Fate, guest: FoundGuest, signal: AbortSignal): Promise<SourceOutcome | undefined> {
    const { domain } = guest;
    switch (fate.kind) {
      case 'moved':
        if (domain !== undefined) await this.#end(domain, signal);
        return { kind: 'moved' };
      case 'stayed':
        if (fate.needsResume && domain !== undefined) await this.#resume(domain, signal);
        return { kind: 'stayed', reason: this.#giveUpReason ?? this.#failure };
      case 'lost':
        return this.#writeOff(`${this.#failure}: ${lossText(fate.why)}`, guest, signal);
      case 'recoverable':
        return this.#recover(guest, signal);
      case 'wait':
        return undefined;
      case 'unknown':
        this.#wonder();
        return undefined;
    }
  }

  async #writeOff(reason: string, guest: FoundGuest, signal: AbortSignal): Promise<SourceOutcome | undefined> {
    this.#loss.decide(reason);
    return this.#lose(reason, guest, signal);
  }

  /** Ends a guest that was written off. Of one that nobody can see nothing can be said yet. */
  async #lose(
    reason: string,
    { domain, whereabouts }: FoundGuest,
    signal: AbortSignal,
  ): Promise<SourceOutcome | undefined> {
    try {
      await this.#loss.write();
    } catch (error) {
      this.#doubt.tell(
        `${reason}. That has to be written down on this node first, which fails: ${fileProblem(error)}`,
        error,
      );
      return undefined;
    }
    if (whereabouts === 'unreachable') return undefined;
    if (domain !== undefined) await endGuest(this.#options.session, domain, signal);
    return { kind: 'lost', reason };
  }

  async #end(domain: Domain, signal: AbortSignal): Promise<void> {
    await this.#confirm(domain, true, signal);
    await endGuest(this.#options.session, domain, signal);
  }

  async #resume(domain: Domain, signal: AbortSignal): Promise<void> {
    const { session, instance } = this.#options;
    await this.#confirm(domain, false, signal);
    const { whereabouts } = await lookForGuest(session, instance, signal);
    if (whereabouts === 'held') await session.domainResume({ domain }, { signal });
  }

  /** Only what this process has begun waits for its word: libvirt gives up what an earlier one began. */
  async #confirm(domain: Domain, hasMoved: boolean, signal: AbortSignal): Promise<void> {
    const { session: daemon, ignore } = this.#options;
    if (this.#flags === undefined) return;
    const flags = this.#flags | DomainMigrateFlags.changeProtection;
    await confirmMigration({ daemon, domain, flags, hasMoved, ignore }, signal);
  }

  async #recover(guest: FoundGuest, signal: AbortSignal): Promise<SourceOutcome | undefined> {
    if (guest.domain === undefined || this.#recoveries >= MOST_RECOVERIES) {
      return this.#carryOut({ kind: 'lost', why: 'half' }, guest, signal);
    }
    this.#recoveries++;
    return this.#send(guest.domain, true, signal);
  }

  #wonder(): void {
    const failure = this.#peerProblem === undefined ? this.#failure : `${this.#failure}; ${this.#peerProblem}`;
    this.#doubt.tell(
      `${failure}. Nobody can tell whether it runs at the target, so it stands still here ` +
        'until the target answers. If that is proven to be without power, the guest is ended',
    );
  }
}
