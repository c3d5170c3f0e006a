import { readFileSync } from 'node:fs';

import {
  catchUp,
  done,
  eventKind,
  EventRecorder,
  keyOf,
  systemClock,
  type Clock,
  type Controller,
  type ObjectKey,
  type Outcome,
} from '@smalt/controller-runtime';
import { hypervisorOf } from '@smalt/hypervisors';
import { virtualMachineInstanceKind, type VirtualMachineInstance } from '@smalt/vm-api';

import { prepareKernel } from '../storage/kernel-boot/prepare-kernel.ts';
import { isOn } from './decide/decide-sync.ts';
import { DomainCache } from './domains/domain-cache.ts';
import { instanceEventOf } from './domains/instance-event-of.ts';
import { InstanceDirectories } from './end/instance-directories.ts';
import { InstanceMemories } from './instance-memory.ts';
import type { InstanceEvent, InstanceSyncOptions, MigrationSides, SyncAccess } from './instance-sync-options.ts';
import { Instances } from './instances.ts';
import { clearStrangers } from './pass/clear-strangers.ts';
import { syncInstance } from './pass/sync-instance.ts';
import type { RunningInstance } from './running-instances.ts';
import { adoptGuest, type GuestPlace } from './start/adopt-guest.ts';
import { MACHINE_LABEL } from './start/domain-context.ts';
import { findFirmware } from './start/firmware-images.ts';
import { StartSlots } from './start/start-slots.ts';
import { InstanceWriter } from './status/instance-writer.ts';
import type { SyncContext } from './sync-context.ts';

const COMPONENT = 'virt-handler';
const MOST_STARTS = 8;
/** Beside those that start a guest: what runs must not wait for what starts. */
const OTHER_WORKERS = 8;
/** No pass may hang for ever on a call that is never answered. */
const PASS_TIMEOUT_MS = 600_000;

/** Makes the domains of this node be as the instances say, and the instances say how the domains are. */
export class InstanceSync implements SyncAccess {
  readonly name = 'instances';
  readonly directories: InstanceDirectories;
  readonly migrations: MigrationSides;
  readonly #options: InstanceSyncOptions;
  readonly #clock: Clock;
  readonly #instances: Instances;
  readonly #cache: DomainCache;
  readonly #controller: Controller;
  readonly #context: SyncContext;
  readonly #background = new Set<Promise<void>>();
  readonly #ready = Promise.withResolvers<void>();
  #signal: AbortSignal = AbortSignal.abort();

  constructor(options: InstanceSyncOptions) {
    const { nodeName, manager, maxStarts = MOST_STARTS } = options;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    this.directories = new InstanceDirectories(options.stateDirectory, { nodeName, bootId });
    this.#instances = new Instances(manager.informers, nodeName);
    this.#cache = this.#openCache();
    this.#controller = manager.add({
      name: COMPONENT,
      sources: this.#instances.sources,
      reconcile: (key, signal) => this.#reconcile(key, signal),
      concurrency: maxStarts + OTHER_WORKERS,
      timeoutMs: PASS_TIMEOUT_MS,
    });
    this.#context = this.#openContext(maxStarts);
    this.migrations = this.#context.migrations;
  }

  instance(namespace: string, name: string): VirtualMachineInstance | undefined {
    return this.#instances.get(`${namespace}/${name}`);
  }

  find(namespace: string, name: string): RunningInstance | undefined {
    const instance = this.instance(namespace, name);
    if (instance === undefined) return undefined;
    const known = this.#cache.find(keyOf(instance)).find(({ owner }) => owner.uid === instance.metadata.uid);
    if (known === undefined || !isOn(known.state)) return undefined;
    return { instance, hypervisor: hypervisorOf(instance), session: known.session, domain: known.domain };
  }

  wake(key: ObjectKey): void {
    this.#controller.enqueue(key);
  }

  async adopt(guest: GuestPlace, signal: AbortSignal): Promise<void> {
    await adoptGuest(this.#options.sandboxes, guest, signal);
  }

  tell(instance: VirtualMachineInstance, { type, reason, message }: InstanceEvent): void {
    // After what the pass itself has to write: others wait for that, and nobody for an event.
    setImmediate(() => void this.#context.events.record(instance, type, reason, message));
  }

  /** Follows the domains of this node until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    await this.directories.load();
    this.#ready.resolve();
    await Promise.all([this.#cache.run(signal), this.#sweep(signal)]);
    await Promise.all(this.#background);
  }

  async #reconcile(key: ObjectKey, signal: AbortSignal): Promise<Outcome> {
    await this.#ready.promise;
    const instance = this.#instances.get(key);
    const { writer } = this.#context;
    if (instance === undefined) writer.forget(key);
    else if (writer.isBehind(key)) return catchUp;
    await clearStrangers(this.#context, key, instance, signal);
    return instance === undefined ? done : await syncInstance(this.#context, instance, signal);
  }

  #openCache(): DomainCache {
    const { sessions, logger, ignore, awayMs } = this.#options;
    return new DomainCache({
      sessions: sessions.sessions,
      awayMs,
      logger,
      clock: this.#clock,
      onChange: (key) => this.wake(key),
      onEvent: (key, event) => {
        const instance = this.#instances.get(key);
        const told = instanceEventOf(event);
        if (instance !== undefined && told !== undefined) this.tell(instance, told);
      },
      onCurrent: () => this.#wakeAll(),
      onAway: () => this.#wakeAll(),
      countFailure: (part) => ignore(new Error(`${part} was started again`), 'a part that fails is started again'),
    });
  }

  #openContext(maxStarts: number): SyncContext {
    const { client, nodeName, logger, ignore, machineLabel = MACHINE_LABEL, firmware } = this.#options;
    const { findHostDevices = async () => [], findKernel = prepareKernel, onStartStep } = this.#options;
    return {
      ...this.#options,
      cache: this.#cache,
      directories: this.directories,
      memories: new InstanceMemories(),
      slots: new StartSlots(maxStarts, (key) => this.wake(key)),
      writer: new InstanceWriter(client.resource(virtualMachineInstanceKind), this.#instances),
      migrations: this.#options.migrations(this),
      events: new EventRecorder(client.resource(eventKind), {
        component: COMPONENT,
        host: nodeName,
        clock: this.#clock,
        onFailure: (error) => ignore(error, 'an event is never worth a failed pass'),
      }),
      clock: this.#clock,
      logger,
      constants: {
        firmware: async (question, signal) => firmware ?? (await findFirmware({ ignore }, question, signal)),
        machineLabel,
      },
      findHostDevices,
      findKernel,
      onStep: onStartStep ?? (() => undefined),
      wake: (key) => this.wake(key),
      inBackground: (what, work) => this.#inBackground(what, work),
    };
  }

  #inBackground(what: string, work: (signal: AbortSignal) => Promise<void>): void {
    const running = work(this.#signal).catch((error: unknown) => {
      if (!this.#signal.aborted) this.#options.ignore(error, what);
    });
    this.#background.add(running);
    void running.then(() => this.#background.delete(running));
  }

  #wakeAll(): void {
    const keys = this.#instances.list().map((instance) => keyOf(instance));
    const seen = this.#cache.list().map(({ key }) => key);
    for (const key of new Set([...keys, ...seen, ...this.directories.keys.values()])) this.wake(key);
  }

  /** Has the networks of guests taken back that went while no handler was here. */
  async #sweep(signal: AbortSignal): Promise<void> {
    try {
      await this.#instances.whenSynced(signal);
      // What was recorded and is not in the API is put away by its own pass, which needs its networks.
      const records = await Promise.all([...this.directories.keys.keys()].map((uid) => this.directories.read(uid)));
      const recorded = records.flatMap((record) => (record === undefined ? [] : [record.instance]));
      await this.#options.networks.sweep([...this.#instances.list(), ...recorded], signal);
    } catch (error) {
      if (!signal.aborted) this.#options.logger.warn({ error }, 'networks of guests that are gone are not taken back');
    }
  }
}
