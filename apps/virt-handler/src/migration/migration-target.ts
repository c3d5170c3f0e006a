import { backOffMs, type Clock } from '@smalt/controller-runtime';
import { hypervisorOf } from '@smalt/hypervisors';
import type { Domain } from '@smalt/libvirt';
import { isProcessRunning, type PodSandbox } from '@smalt/pod-sandbox';
import { messageOf, type Ignore, type Logger } from '@smalt/service-runtime';
import type { VirtualMachineInstance, VirtualMachineInstanceMigrationState } from '@smalt/vm-api';

import type { DriverSession, HypervisorSessions } from '../hypervisor-sessions/hypervisor-sessions.ts';
import type { InstanceNetworks } from '../network/network-plugin.ts';
import { prepareKernel, type KernelPlace } from '../storage/kernel-boot/prepare-kernel.ts';
import type { InstanceVolumes } from '../storage/volume-plugin.ts';
import type { InstanceDirectories } from '../sync/end/instance-directories.ts';
import type { Sandboxes } from '../sync/sandboxes.ts';
import { adoptGuest } from '../sync/start/adopt-guest.ts';
import { VirtHandlerError } from '../virt-handler-error.ts';
import { clearRemains } from './clear-remains.ts';
import { decideTarget, mayBeComing } from './decide-target.ts';
import { endGuest } from './end-guest.ts';
import { LastMigrations } from './last-migrations.ts';
import { lookForGuest, type FoundGuest } from './look-for-guest.ts';
import type { TellEvent } from './migration-event.ts';
import type { MigrationSide } from './migration-side.ts';
import { endedState, timeText, type SourceOutcome } from './source-outcome.ts';
import { tellProcessors } from './target-processors.ts';

export interface MigrationTargetOptions {
  readonly nodeName: string;
  /** The address by which other nodes reach the libvirt of this one. */
  readonly address: string;
  readonly sessions: Pick<HypervisorSessions, 'find'>;
  readonly directories: Pick<InstanceDirectories, 'pathOf' | 'prepare' | 'remove'>;
  readonly volumes: InstanceVolumes;
  readonly networks: Pick<InstanceNetworks, 'connect' | 'disconnect'>;
  readonly sandboxes: Pick<Sandboxes, 'find' | 'moveToGuestCgroup'>;
  /** Finds the kernel that an instance boots, where it has one of its own; in the image that the pod has if not given. */
  readonly findKernel?: ((place: KernelPlace, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** Asks for another pass over the instance `namespace/name`. */
  readonly wake: (key: string) => void;
  /** Whether a node was proven to be without power since a moment (milliseconds since 1970). */
  readonly isProvenOff?: ((nodeName: string, since: number, signal: AbortSignal) => Promise<boolean>) | undefined;
  readonly tell: TellEvent;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly random?: (() => number) | undefined;
}

/** After so many attempts the source is told that this node will not get ready. */
const MOST_ATTEMPTS = 3;

/** More than can be on their way to one node. What is forgotten is done again, as after a restart. */
const MOST_KNOWN = 1_000;

/** How often it is asked whether the source of a guest that is on its way was proven to be off: nothing tells of it. */
const SOURCE_LOOK_MS = 5_000;

type State = VirtualMachineInstanceMigrationState;

interface Comer {
  readonly instance: VirtualMachineInstance;
  readonly driver: DriverSession;
}

/** What this process knows of a migration to here. */
interface Arrival {
  readonly isPrepared: boolean;
  readonly attempts: number;
  readonly failure: string | undefined;
}

const UNTRIED: Arrival = { isPrepared: false, attempts: 0, failure: undefined };

/** The end of migrations that guests come to: makes the node ready for them, and takes them in. */
export class MigrationTarget implements MigrationSide {
  readonly #options: MigrationTargetOptions;
  /** By the uid of the migration. */
  readonly #arrivals = new LastMigrations<Arrival>(MOST_KNOWN);
  /** By the uid of the migration, those that failed and of which nothing is left here. */
  readonly #cleared = new LastMigrations<true>(MOST_KNOWN);

  /** The migrations whose source is looked at again in a while, and not before. */
  readonly #watched = new Set<string>();

  constructor(options: MigrationTargetOptions) {
    this.#options = options;
  }

  async step(instance: VirtualMachineInstance, signal: AbortSignal): Promise<State | undefined> {
    const { nodeName } = this.#options;
    const state = instance.status?.migrationState;
    if (state?.migrationUid === undefined || state.targetNode !== nodeName) return undefined;
    if (this.#cleared.get(state.migrationUid) === true) return undefined;
    const driver = this.#driverOf(instance);
    // Asked first: what is found here after that does not change by the doing of the source any more.
    const isSourceOff = await this.#isSourceOff(instance, signal);
    const found = await lookForGuest(driver.session, instance, signal);
    const { isPrepared, attempts, failure } = this.#arrivals.get(state.migrationUid) ?? UNTRIED;
    const step = decideTarget({
      nodeName,
      instance,
      guest: found.whereabouts,
      isPrepared,
      isHalf: found.isHalf === true,
      isSourceOff,
      failure: attempts < MOST_ATTEMPTS ? undefined : failure,
    });
    switch (step.kind) {
      case 'none':
      case 'wait':
        return state.completed === true ? undefined : state;
      case 'prepare':
        return this.#prepare({ instance, driver }, state, signal);
      case 'object':
        return { ...state, failureReason: step.reason };
      case 'welcome':
        return this.#welcome({ instance, driver }, found, signal);
      case 'take-over':
        return this.#takeOver({ instance, driver }, found, signal);
      case 'give-up':
        return this.#giveUp({ instance, driver }, found, signal);
      case 'clear':
        return this.#clear({ instance, driver }, step.endsGuest ? found.domain : undefined, signal);
    }
  }

  isBusy(instance: VirtualMachineInstance): boolean {
    return mayBeComing(instance, this.#options.nodeName);
  }

  #driverOf(instance: VirtualMachineInstance): DriverSession {
    const { name } = hypervisorOf(instance);
    const driver = this.#options.sessions.find(name);
    if (driver !== undefined) return driver;
    throw new VirtHandlerError('unavailable', `this node does not offer the hypervisor ${name}`);
  }

  /** Makes the node ready. What fails is tried again; the source hears of it when that is of no use. */
  async #prepare(comer: Comer, state: State, signal: AbortSignal): Promise<State> {
    const { instance } = comer;
    const { address, tell, nodeName } = this.#options;
    const uid = state.migrationUid ?? '';
    const sandbox = await this.#sandboxOf(instance, signal);
    // The next change of its pods asks again.
    if (sandbox === undefined) return state;
    let processors: State;
    try {
      processors = tellProcessors(instance, sandbox, comer.driver.capabilities?.cells ?? []);
      await this.#bringUp(comer, sandbox, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#fail(instance, uid, error);
      return state;
    }
    this.#arrivals.set(uid, { ...UNTRIED, isPrepared: true });
    const message = `The node ${nodeName} is ready for the guest.`;
    if (state.targetNodeAddress === undefined) tell(instance, { type: 'Normal', reason: 'PreparingTarget', message });
    return { ...state, ...processors, targetNodeAddress: address };
  }

  async #bringUp({ instance, driver }: Comer, sandbox: PodSandbox, signal: AbortSignal): Promise<void> {
    const { directories, volumes, networks, findKernel = prepareKernel } = this.#options;
    const { hypervisor, capabilities } = driver;
    const { podUid, launcher } = sandbox;
    // First, and alone: by what is written there the rest is found and taken back, whatever becomes of us.
    const directory = await directories.prepare(instance, podUid, capabilities?.guestAccount, launcher);
    const prepareFiles = async (): Promise<void> => {
      await volumes.prepare({ instance, hypervisor, sandbox, directory, isMigrationTarget: true }, signal);
      await findKernel({ instance, sandbox, directory }, signal);
    };
    // Neither needs the other, and the source waits for both. The next attempt must not meet what is left of this one.
    const [files, connected] = await Promise.allSettled([prepareFiles(), networks.connect(instance, signal, sandbox)]);
    for (const each of [files, connected]) if (each.status === 'rejected') throw each.reason;
  }

  #fail(instance: VirtualMachineInstance, uid: string, error: unknown): void {
    const { tell, logger, clock, wake, nodeName, random = Math.random } = this.#options;
    const attempts = (this.#arrivals.get(uid)?.attempts ?? 0) + 1;
    const failure = `The node ${nodeName} cannot be made ready for the guest: ${messageOf(error)}`;
    this.#arrivals.set(uid, { isPrepared: false, attempts, failure });
    tell(instance, { type: 'Warning', reason: 'PreparingTarget', message: failure });
    const { namespace = 'default', name } = instance.metadata;
    const delayMs = backOffMs(attempts, random());
    logger.warn({ error, instance: `${namespace}/${name}`, delayMs }, 'this node cannot be made ready for a guest');
    clock.later(delayMs, () => wake(`${namespace}/${name}`));
  }

  /** The sandbox of the pod that takes the guest over: the one of its pods on this node that bears the name and lives. */
  async #sandboxOf(instance: VirtualMachineInstance, signal: AbortSignal): Promise<PodSandbox | undefined> {
    const { nodeName, sandboxes } = this.#options;
    const { activePods = {}, migrationState } = instance.status ?? {};
    for (const [podUid, node] of Object.entries(activePods)) {
      const sandbox = node === nodeName ? await sandboxes.find(podUid, signal) : undefined;
      if (sandbox !== undefined && sandbox.name === migrationState?.targetPod) return unlessEnded(sandbox);
    }
    return undefined;
  }

  async #welcome({ instance, driver }: Comer, { domain }: FoundGuest, signal: AbortSignal): Promise<State> {
    const { clock, sandboxes } = this.#options;
    const state = instance.status?.migrationState ?? {};
    const sandbox = await this.#sandboxOf(instance, signal);
    if (domain === undefined || sandbox === undefined) return state;
    await adoptGuest(sandboxes, { driver, domain, sandbox }, signal);
    const now = timeText(clock.now());
    return { ...state, targetNodeDomainDetected: true, targetNodeDomainReadyTimestamp: now };
  }

  async #isSourceOff(instance: VirtualMachineInstance, signal: AbortSignal): Promise<boolean> {
    const { isProvenOff, clock, wake } = this.#options;
    const { migrationUid = '', sourceNode = '', startTimestamp, completed } = instance.status?.migrationState ?? {};
    const startedAt = Date.parse(startTimestamp ?? '');
    if (isProvenOff === undefined || completed === true || Number.isNaN(startedAt)) return false;
    // Not in every pass: a guest comes with many, and each would ask the API.
    if (this.#watched.has(migrationUid)) return false;
    this.#watched.add(migrationUid);
    clock.later(SOURCE_LOOK_MS, () => {
      this.#watched.delete(migrationUid);
      wake(`${instance.metadata.namespace ?? 'default'}/${instance.metadata.name}`);
    });
    return await isProvenOff(sourceNode, startedAt, signal);
  }

  /** Ends a migration in the place of its source: the guest is here. */
  async #takeOver(comer: Comer, found: FoundGuest, signal: AbortSignal): Promise<State> {
    const { instance } = comer;
    const state = instance.status?.migrationState ?? {};
    const welcomed = state.targetNodeDomainDetected === true ? state : await this.#welcome(comer, found, signal);
    return this.#endInPlaceOfSource(instance, welcomed, { kind: 'moved' });
  }

  /** Ends a migration in the place of its source: the guest is nowhere. What was prepared goes when that is written. */
  async #giveUp({ instance, driver }: Comer, { domain }: FoundGuest, signal: AbortSignal): Promise<State> {
    if (domain !== undefined) await endGuest(driver.session, domain, signal);
    const state = instance.status?.migrationState ?? {};
    const reason = `the source ${state.sourceNode ?? ''} lost its power before the guest had left it`;
    return this.#endInPlaceOfSource(instance, state, { kind: 'lost', reason });
  }

  #endInPlaceOfSource(instance: VirtualMachineInstance, state: State, outcome: SourceOutcome): State {
    const { clock, tell, nodeName } = this.#options;
    const [type, message] =
      outcome.kind === 'moved'
        ? (['Normal', `The guest is on ${nodeName}; its source lost its power.`] as const)
        : (['Warning', `The migration has failed: ${outcome.reason}.`] as const);
    tell(instance, { type, reason: 'Migrated', message });
    return endedState(state, { outcome, mode: undefined, endedAt: clock.now() });
  }

  async #clear({ instance, driver }: Comer, guest: Domain | undefined, signal: AbortSignal): Promise<undefined> {
    if (guest !== undefined) await endGuest(driver.session, guest, signal);
    await clearRemains(this.#options, instance, signal);
    const uid = instance.status?.migrationState?.migrationUid ?? '';
    this.#arrivals.delete(uid);
    this.#cleared.set(uid, true);
    return undefined;
  }
}

/** Without its launcher nobody would end the guest with its pod. */
async function unlessEnded(sandbox: PodSandbox): Promise<PodSandbox | undefined> {
  const { launcher } = sandbox;
  return launcher === undefined || (await isProcessRunning(launcher)) ? sandbox : undefined;
}
