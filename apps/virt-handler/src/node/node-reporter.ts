import { backOffMs, WakeUp, type Clock } from '@smalt/controller-runtime';
import { isNotFound, type ResourceClient } from '@smalt/kube';
import { messageOf, type Ignore, type Logger } from '@smalt/service-runtime';
import type { NodeAbilities } from '@smalt/vm-lifecycle';

import type { HypervisorSessions } from '../hypervisor-sessions/hypervisor-sessions.ts';
import type { KubeletDevices } from './devices/kubelet-devices.ts';
import { NETWORK_DEVICES } from './devices/network-devices.ts';
import { findAbilities, type FoundAbilities, type MachineAbilities } from './find-abilities.ts';
import type { HandledNode } from './handled-node.ts';
import { canOpenDevice } from './open-device.ts';
import { closingPatch, planNodePatch } from './plan-node-patch.ts';
import { isRealtime } from './is-realtime.ts';

export interface NodeReporterOptions {
  readonly nodeName: string;
  /** `client.resource(handledNodeKind)`. */
  readonly nodes: Pick<ResourceClient<HandledNode>, 'get' | 'patch'>;
  readonly sessions: Pick<HypervisorSessions, 'find' | 'availableDrivers' | 'onChange'>;
  /** How often the node is told that its handler lives, at least; a minute if not given. */
  readonly heartbeatMs?: number | undefined;
  /** Whether a device such as `kvm` is there and can be opened; looks in `/dev` if not given. */
  readonly canOpen?: ((device: string) => Promise<boolean>) | undefined;
  /** The devices as a kubelet offers them; without it the handler does. */
  readonly devices?: Pick<KubeletDevices, 'keeper' | 'onChange'> | undefined;
  /** How many devices there are of each resource that guests may have; none if not given. */
  readonly hostDevices?: (() => Promise<Readonly<Record<string, number>>>) | undefined;
  /** Whether pods of this node can have processors to themselves, undefined where nobody knows; they cannot if not given. */
  readonly hasCpuManager?: (() => Promise<boolean | undefined>) | undefined;
  /** Told of the Node once, when it was written for the first time. */
  readonly onFirstWrite?: ((node: HandledNode) => void) | undefined;
  readonly clock: Clock;
  /** From 0 to 1; spreads the handlers of a fleet. */
  readonly random?: (() => number) | undefined;
  readonly logger: Logger;
  readonly ignore: Ignore;
}

const HEARTBEAT_MS = 60_000;
/** So much longer a pause may be, by chance. */
const JITTER = 1.2;
/** How long the last word may take: whoever ends is in a hurry. */
const FAREWELL_MS = 5_000;

/**
 * Tells in the Node what this node can run, and that its handler lives: one patch a heartbeat, and one at once when
 * something has changed. When it ends, nothing new is to come here; what runs, runs on.
 */
export class NodeReporter {
  readonly #options: NodeReporterOptions;
  readonly #due: WakeUp;
  #annotations: Readonly<Record<string, string>> = {};
  readonly #machines = new Map<string, MachineAbilities>();
  #found: FoundAbilities | undefined;
  #areAbilitiesCurrent = false;
  /** How often in a row a hypervisor has not told what its guests can have. */
  #silences = 0;
  #node: HandledNode | undefined;
  #wasWritten = false;
  #failures = 0;
  #trouble: string | undefined;

  constructor(options: NodeReporterOptions) {
    this.#options = options;
    this.#due = new WakeUp(options.clock);
  }

  /** Why the node does not say that its handler lives, if so. */
  get trouble(): string | undefined {
    if (this.#trouble !== undefined) return this.#trouble;
    return this.#node === undefined ? 'the node was not written yet' : undefined;
  }

  /** What this node can run, as far as it is known. */
  get abilities(): NodeAbilities | undefined {
    return this.#found?.abilities;
  }

  /** What the Node carries for those who want to reach this handler. */
  annotate(annotations: Readonly<Record<string, string>>): void {
    this.#annotations = annotations;
    this.#due.ring();
  }

  /** Reports until the signal fires, whatever is away meanwhile. */
  async run(signal: AbortSignal): Promise<void> {
    const { sessions, devices } = this.#options;
    const stop = sessions.onChange(() => {
      this.#areAbilitiesCurrent = false;
      this.#due.ring();
    });
    const leave = devices?.onChange(() => this.#due.ring());
    try {
      while (!signal.aborted) await this.#due.wait(await this.#report(signal), signal);
    } finally {
      stop();
      leave?.();
      await this.#sayFarewell();
    }
  }

  /** Writes, and returns how long there is nothing to do unless something changes. */
  async #report(signal: AbortSignal): Promise<number> {
    const { random = Math.random, heartbeatMs = HEARTBEAT_MS } = this.#options;
    try {
      await this.#refresh(signal);
      await this.#write(signal);
    } catch (error) {
      return signal.aborted ? 0 : this.#fail(error);
    }
    if (this.#failures > 0) this.#options.logger.info({ node: this.#options.nodeName }, 'the node is written again');
    this.#failures = 0;
    this.#trouble = undefined;
    this.#tellFirstWrite();
    const pauseMs = heartbeatMs * (1 + JITTER * random());
    return this.#silences === 0 ? pauseMs : Math.min(pauseMs, backOffMs(this.#silences, random()));
  }

  #tellFirstWrite(): void {
    if (this.#wasWritten || this.#node === undefined) return;
    this.#wasWritten = true;
    this.#options.onFirstWrite?.(this.#node);
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { sessions, canOpen = canOpenDevice, ignore } = this.#options;
    if (this.#areAbilitiesCurrent) return;
    // What changes while libvirt is asked makes it be asked again.
    this.#areAbilitiesCurrent = true;
    try {
      this.#found = await findAbilities({ sessions, canOpen, isRealtime, ignore }, this.#machines, signal);
    } catch (error) {
      this.#areAbilitiesCurrent = false;
      throw error;
    }
    this.#silences = this.#found.isCurrent ? 0 : this.#silences + 1;
    if (!this.#found.isCurrent) this.#areAbilitiesCurrent = false;
  }

  async #write(signal: AbortSignal): Promise<void> {
    const { nodeName, nodes, clock, devices, canOpen = canOpenDevice } = this.#options;
    const { hasCpuManager = async () => false } = this.#options;
    this.#node ??= await nodes.get(nodeName, { signal });
    const open = await Promise.all(NETWORK_DEVICES.map((device) => canOpen(device)));
    const patch = planNodePatch({
      node: this.#node,
      abilities: this.#found?.abilities,
      areAbilitiesComplete: this.#found?.isComplete !== false,
      networkDevices: NETWORK_DEVICES.filter((_, index) => open[index] === true),
      keeper: (await devices?.keeper()) ?? 'handler',
      hostDevices: (await this.#options.hostDevices?.()) ?? {},
      hasCpuManager: await hasCpuManager(),
      annotations: this.#annotations,
      now: clock.now(),
    });
    this.#node = await nodes.patch(nodeName, 'merge', { ...patch.metadata }, { signal });
    if (patch.status === undefined) return;
    this.#node = await nodes.patch(nodeName, 'merge', { ...patch.status }, { subresource: 'status', signal });
  }

  #fail(error: unknown): number {
    const { nodeName, logger, random = Math.random } = this.#options;
    this.#node = undefined;
    this.#failures++;
    const delayMs = backOffMs(this.#failures, random());
    const isMissing = isNotFound(error);
    const trouble = isMissing ? `there is no Node ${nodeName}` : messageOf(error);
    // The same again is not worth a line.
    if (trouble !== this.#trouble) {
      const next = isMissing ? 'waiting for somebody to make it; is the name right?' : 'trying again';
      logger.warn({ node: nodeName, error }, `the node cannot be written: ${trouble}; ${next}`);
    }
    this.#trouble = trouble;
    return delayMs;
  }

  async #sayFarewell(): Promise<void> {
    const { nodeName, nodes, ignore } = this.#options;
    if (this.#node === undefined) return;
    try {
      await nodes.patch(nodeName, 'merge', { ...closingPatch() }, { signal: AbortSignal.timeout(FAREWELL_MS) });
    } catch (error) {
      ignore(error, 'a node whose handler ends is found to be silent later');
    }
  }
}
