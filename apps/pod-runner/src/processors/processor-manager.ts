import type { Cgroups } from '@smalt/pod-sandbox';

import { PodRunnerError } from '../pod-runner-error.ts';
import type { HostProcessor } from './host-processor.ts';
import { readOwnProcessors, writeManagerState } from './manager-state.ts';
import { takeProcessors } from './take-processors.ts';

export interface ProcessorManagerOptions {
  /** Where the state is kept. */
  readonly directory: string;
  readonly cgroups: Pick<Cgroups, 'confine'>;
  readonly processors: readonly HostProcessor[];
  /** Those that no pod gets for itself; empty: no pod gets any. */
  readonly reserved: readonly number[];
  /** The cgroup of a pod. */
  readonly pathOf: (uid: string) => string;
  readonly leaves: readonly string[];
  /** Told what a cgroup cannot be confined by. */
  readonly onProblems: (problems: readonly string[]) => void;
}

/**
 * Gives pods processors of their own, and the others those that are left. What is given is on disk before a process of the
 * pod can run, and is given back after the last one has ended, so no processor ever has two owners, whoever is killed.
 */
export class ProcessorManager {
  readonly #options: ProcessorManagerOptions;
  readonly #own: Map<string, readonly number[]>;
  /** The pods that have cgroups. */
  readonly #placed: Set<string>;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(options: ProcessorManagerOptions, own: Map<string, readonly number[]>, uids: readonly string[]) {
    this.#options = options;
    this.#own = own;
    this.#placed = new Set(uids);
  }

  /** Takes over what an earlier runner has given to the pods that are here, and takes back what it gave to others. */
  static async open(options: ProcessorManagerOptions, uids: readonly string[]): Promise<ProcessorManager> {
    const before = await readOwnProcessors(options.directory);
    const manager = new ProcessorManager(options, new Map([...before].filter(([uid]) => uids.includes(uid))), uids);
    await manager.#save();
    if (before.size > 0 || options.reserved.length > 0) await manager.#confineShared();
    return manager;
  }

  /** Those that a pod has to itself. */
  ofPod(uid: string): readonly number[] | undefined {
    return this.#own.get(uid);
  }

  /** How many are given away. */
  get givenCount(): number {
    return [...this.#own.values()].flat().length;
  }

  /**
   * Confines the cgroup of a pod to processors of its own, if it asks for so many, else to those that all share; gives its own.
   * Throws `no-processors` when there are too few.
   */
  async place(uid: string, count: number | undefined): Promise<readonly number[] | undefined> {
    return await this.#inTurn(async () => {
      const isStatic = this.#options.reserved.length > 0;
      if (count !== undefined && isStatic) {
        if (!this.#own.has(uid)) await this.#give(uid, this.#take(count));
        // Before it has them, everybody else has to be off, also where an earlier try has come to an end before that.
        await this.#confineShared();
      }
      this.#placed.add(uid);
      const own = this.#own.get(uid);
      if (own !== undefined || this.#own.size > 0) await this.#confine(uid, own ?? this.#shared);
      return own;
    });
  }

  /** Takes back what a pod had, when its last process has ended. */
  async release(uid: string): Promise<void> {
    await this.#inTurn(async () => {
      this.#placed.delete(uid);
      if (!this.#own.has(uid)) return;
      await this.#save(new Map([...this.#own].filter(([each]) => each !== uid)));
      this.#own.delete(uid);
      await this.#confineShared();
    });
  }

  get #shared(): readonly number[] {
    return this.#besides(this.#own);
  }

  #besides(given: ReadonlyMap<string, readonly number[]>): readonly number[] {
    const own = new Set([...given.values()].flat());
    return this.#options.processors.map(({ id }) => id).filter((id) => !own.has(id));
  }

  /** What is not on disk is not given: the next runner would give it to another pod. */
  async #give(uid: string, processors: readonly number[]): Promise<void> {
    await this.#save(new Map([...this.#own, [uid, processors]]));
    this.#own.set(uid, processors);
  }

  #take(count: number): readonly number[] {
    const { processors, reserved } = this.#options;
    const free = new Set(this.#shared.filter((id) => !reserved.includes(id)));
    const taken = takeProcessors(processors, free, count);
    if (taken !== undefined) return taken;
    const message =
      `${count} processors of its own are asked for and ${free.size} of this node are free: ` +
      `${this.givenCount} belong to other pods and ${reserved.length} are reserved (setting reservedProcessors)`;
    throw new PodRunnerError('no-processors', message);
  }

  async #confineShared(): Promise<void> {
    for (const uid of this.#placed) if (!this.#own.has(uid)) await this.#confine(uid, this.#shared);
  }

  async #confine(uid: string, processors: readonly number[]): Promise<void> {
    const { cgroups, pathOf, leaves, onProblems } = this.#options;
    // Nobody can run on nothing; that can only be where the reservation was taken away meanwhile.
    if (processors.length > 0) onProblems(await cgroups.confine(pathOf(uid), leaves, processors));
  }

  async #save(own: ReadonlyMap<string, readonly number[]> = this.#own): Promise<void> {
    const policy = this.#options.reserved.length > 0 ? 'static' : 'none';
    await writeManagerState(this.#options.directory, { policy, shared: this.#besides(own), own });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return await turn;
  }
}
