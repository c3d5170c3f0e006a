import type { Clock } from '@smalt/controller-runtime';
import { hypervisorOf } from '@smalt/hypervisors';
import type { KeepaliveOptions } from '@smalt/libvirt';
import type { Ignore, Logger } from '@smalt/service-runtime';
import {
  MigrationAbortStatus,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigrationState,
} from '@smalt/vm-api';
import { migrationSettings } from '@smalt/vm-lifecycle';

import type { DriverSession, HypervisorSessions } from '../hypervisor-sessions/hypervisor-sessions.ts';
import { VirtHandlerError } from '../virt-handler-error.ts';
import { ComingPeer } from './coming-peer.ts';
import { decideSource, mayBeLeaving } from './decide-source.ts';
import { LastMigrations } from './last-migrations.ts';
import type { TellEvent } from './migration-event.ts';
import type { LeavingSide } from './migration-side.ts';
import { openPeer, type PeerAddress } from './open-peer.ts';
import { peerUri } from './peer-uri.ts';
import type { MigrationPlan } from './plan-migration.ts';
import { readPlanAhead } from './read-plan.ts';
import { endedState, timeText, type EndedMigration } from './source-outcome.ts';
import type { SourceRunOptions } from './source-run-options.ts';
import { SourceRun } from './source-run.ts';
import type { MigrationProgress } from './watch-progress.ts';
import type { GuestRecords } from './written-loss.ts';

export interface MigrationSourceOptions {
  readonly nodeName: string;
  readonly sessions: Pick<HypervisorSessions, 'find'>;
  /** What is written down of guests on this node. */
  readonly directories: GuestRecords;
  /** Where the libvirt of another node is: `{driver}+tls://{address}/system`. */
  readonly peerUri: string;
  /** Whether the hosts have certificates by which QEMU can encrypt what it sends. */
  readonly canEncrypt?: boolean | undefined;
  /** How long a target may be silent before the guest stays; 12 s if not given. */
  readonly patience?: KeepaliveOptions | undefined;
  /** Asks for another pass over the instance `namespace/name`. */
  readonly wake: (key: string) => void;
  readonly tell: TellEvent;
  /** Whether a node was proven to be without power after a moment (milliseconds since 1970); never without it. */
  readonly isProvenOff?: ((nodeName: string, since: number, signal: AbortSignal) => Promise<boolean>) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ignore: Ignore;
}

/** How long the end of a migration is remembered though nobody asks. What is asked later is found out again. */
const KEPT_MS = 600_000;
/** What is forgotten counts as begun by somebody else, and is found out. */
const MOST_ANNOUNCED = 1_000;

/** A connection to a target that was opened ahead is closed when the migration has not begun by then. */
const COMING_MS = 30_000;

const PATIENCE: KeepaliveOptions = { intervalMs: 3_000, count: 3 };

type State = VirtualMachineInstanceMigrationState;

/** What a migration needs when it begins, and what cancels that it is given up by itself. */
interface Coming {
  readonly peer: ComingPeer;
  plan: Promise<MigrationPlan | undefined>;
  readonly forget: () => void;
}

/** The end of migrations that guests leave: sends them, watches that, and has the last word on how it ended. */
export class MigrationSource implements LeavingSide, AsyncDisposable {
  readonly #options: MigrationSourceOptions;
  readonly #runs = new Map<string, SourceRun>();
  /** What cancels that a migration which is over is forgotten by itself, by its uid. */
  readonly #endings = new Map<string, () => void>();
  /** When this process has announced migrations, as it was to be written; by their uids. */
  readonly #announced = new LastMigrations<string>(MOST_ANNOUNCED);
  /** What is done ahead, by the uid of the migration that was announced. */
  readonly #coming = new Map<string, Coming>();
  readonly #stopping = new AbortController();

  constructor(options: MigrationSourceOptions) {
    this.#options = options;
  }

  /** The migrations that are under way, by `namespace/name` of the instance. */
  get progress(): ReadonlyMap<string, MigrationProgress> {
    const known = [...this.#runs.values()].flatMap(({ key, ended, progress }) =>
      ended !== undefined || progress === undefined ? [] : [[key, progress] as const],
    );
    return new Map(known);
  }

  async step(instance: VirtualMachineInstance, _signal: AbortSignal): Promise<State | undefined> {
    const state = instance.status?.migrationState;
    const uid = state?.migrationUid ?? '';
    const run = this.#runs.get(uid);
    if (state?.targetNodeDomainReadyTimestamp !== undefined) run?.confirmArrival();
    const step = decideSource({ nodeName: this.#options.nodeName, instance, run });
    if (state === undefined) return undefined;
    switch (step.kind) {
      case 'none':
        if (run?.ended !== undefined) this.#forget(uid);
        return undefined;
      case 'wait':
        return state;
      case 'refuse':
        return endedState(state, this.#end({ kind: 'stayed', reason: step.reason }));
      case 'announce': {
        const startTimestamp = timeText(this.#options.clock.now());
        this.#announced.set(uid, startTimestamp);
        this.#approach(instance, state);
        return { ...state, startTimestamp };
      }
      case 'begin':
        this.#begin(instance, state, step.giveUp);
        return state;
      case 'give-up':
        run?.giveUp(step.reason);
        return shown(
          state.abortRequested === true ? { ...state, abortStatus: MigrationAbortStatus.inProgress } : state,
          run,
        );
      case 'watch':
        return shown(state, run);
      case 'end':
        return endedState(state, step.ended);
    }
  }

  isBusy(instance: VirtualMachineInstance): boolean {
    return mayBeLeaving(instance, this.#options.nodeName);
  }

  onWritten(instance: VirtualMachineInstance): void {
    const { nodeName } = this.#options;
    const state = instance.status?.migrationState;
    const uid = state?.migrationUid ?? '';
    if (state === undefined || !this.#isAnnounced(state) || this.#runs.has(uid)) return;
    const step = decideSource({ nodeName, instance, run: undefined });
    if (step.kind === 'begin') this.#begin(instance, state, step.giveUp);
  }

  /** Gives up what is under way, and waits until libvirt has done so too: the next handler begins it again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('the handler of the source ends'));
    for (const { forget } of this.#coming.values()) forget();
    const coming = Array.from(this.#coming.values(), ({ peer }) => peer[Symbol.asyncDispose]());
    await Promise.all([...coming, ...Array.from(this.#runs.values(), (run) => run.stop())]);
    for (const cancel of this.#endings.values()) cancel();
  }

  /** Whether this process has announced it, so that nobody else can have begun it. What it wrote on an old view was refused. */
  #isAnnounced({ migrationUid: uid = '', startTimestamp }: State): boolean {
    return startTimestamp !== undefined && this.#announced.get(uid) === startTimestamp;
  }

  /** Connects to the target, and looks at the guest, while it is written that the migration begins. */
  #approach(instance: VirtualMachineInstance, state: State): void {
    const { migrationUid: uid = '' } = state;
    const address = this.#peerOf(instance, state);
    const reading = { instance, session: address.session, ignore: this.#options.ignore, ...this.#sendingOf(state) };
    const plan = readPlanAhead(reading, this.#stopping.signal);
    const known = this.#coming.get(uid);
    if (known !== undefined) {
      // What was written did not hold, so the target may have told something else since.
      known.plan = plan;
      return;
    }
    const peer = new ComingPeer(address.peerUri, (signal) => openPeer(address, signal));
    const forget = this.#options.clock.later(COMING_MS, () => {
      this.#coming.delete(uid);
      void peer[Symbol.asyncDispose]();
    });
    this.#coming.set(uid, { peer, plan, forget });
  }

  /** What was done ahead, for whoever needs it now. */
  #takeComing(uid: string, uri: string): Pick<SourceRunOptions, 'comingPeer' | 'comingPlan'> {
    const coming = this.#coming.get(uid);
    if (coming?.peer.peerUri !== uri) return {};
    coming.forget();
    this.#coming.delete(uid);
    return { comingPeer: coming.peer, comingPlan: coming.plan };
  }

  #sendingOf({ migrationConfiguration }: State): Pick<SourceRunOptions, 'settings' | 'canEncrypt'> {
    const { canEncrypt = false } = this.#options;
    return { settings: migrationSettings(migrationConfiguration), canEncrypt };
  }

  #peerOf(
    instance: VirtualMachineInstance,
    { targetNodeAddress = '' }: State,
  ): PeerAddress & Pick<DriverSession, 'session'> {
    const { sessions, patience = PATIENCE } = this.#options;
    const hypervisor = hypervisorOf(instance);
    const driver = sessions.find(hypervisor.name);
    if (driver === undefined) {
      throw new VirtHandlerError('unavailable', `this node does not offer the hypervisor ${hypervisor.name} any more`);
    }
    const uri = peerUri(this.#options.peerUri, hypervisor, targetNodeAddress);
    return { session: driver.session, peerUri: uri, patience };
  }

  #begin(instance: VirtualMachineInstance, state: State, giveUp: string | undefined): void {
    const { migrationUid: uid = '', targetNode = '' } = state;
    const run = this.#openRun(instance, state);
    this.#runs.set(uid, run);
    if (giveUp !== undefined) run.giveUp(giveUp);
    const message = `The guest is on its way to the node ${targetNode}.`;
    this.#options.tell(instance, { type: 'Normal', reason: 'Migrating', message });
    void run.done.then(() => this.#conclude(instance, state, run.ended));
  }

  #openRun(instance: VirtualMachineInstance, state: State): SourceRun {
    const { isProvenOff, wake, clock } = this.#options;
    const { migrationUid: uid = '', targetNode = '' } = state;
    const peer = this.#peerOf(instance, state);
    const key = keyOf(instance);
    const startedAt = Date.parse(state.startTimestamp ?? '') || clock.now();
    return new SourceRun({
      ...this.#options,
      ...peer,
      key,
      instance,
      ...this.#takeComing(uid, peer.peerUri),
      ...this.#sendingOf(state),
      startedAt,
      isFresh: this.#isAnnounced(state),
      isTargetOff: async (signal) => (await isProvenOff?.(targetNode, startedAt, signal)) ?? false,
      onChange: () => wake(key),
    });
  }

  #conclude(
    instance: VirtualMachineInstance,
    { migrationUid: uid = '', targetNode = '' }: State,
    ended: EndedMigration | undefined,
  ): void {
    if (ended === undefined) return;
    // An instance that has moved is not passed any more, so that nobody says that its end was written.
    this.#endings.set(
      uid,
      this.#options.clock.later(KEPT_MS, () => this.#forget(uid)),
    );
    const { outcome } = ended;
    const [type, message] =
      outcome.kind === 'moved'
        ? (['Normal', `The guest has moved to the node ${targetNode}.`] as const)
        : (['Warning', `The migration to the node ${targetNode} failed: ${outcome.reason}`] as const);
    this.#options.tell(instance, { type, reason: 'Migrated', message });
  }

  #end(outcome: EndedMigration['outcome']): EndedMigration {
    return { outcome, mode: undefined, endedAt: this.#options.clock.now() };
  }

  #forget(uid: string): void {
    this.#endings.get(uid)?.();
    this.#endings.delete(uid);
    this.#runs.delete(uid);
    this.#announced.delete(uid);
  }
}

/** The state with what the run has to say before its end. */
function shown(state: State, run: SourceRun | undefined): State {
  const mode = run?.progress?.mode;
  const { failureReason, ...rest } = state;
  const isOver = failureReason === undefined || run?.isDoubtOver === true;
  return {
    ...rest,
    ...(isOver ? {} : { failureReason }),
    ...(mode === undefined ? {} : { mode }),
    ...(run?.doubt === undefined ? {} : { failureReason: run.doubt }),
  };
}

function keyOf({ metadata: { namespace = 'default', name } }: VirtualMachineInstance): string {
  return `${namespace}/${name}`;
}
