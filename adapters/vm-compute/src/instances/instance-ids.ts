import { ComputeError } from '@smalt/compute';

import type { VmApiAccess } from '../vm-api-access.ts';
import { idOfMachine, instanceIdOf, parseKey, printKey, type InstanceKey } from './instance-key.ts';

/** Finds instances by their ids, which the API cannot be asked for. What was found is remembered, and looked at again. */
export class InstanceIds {
  readonly #api: VmApiAccess;
  #known = new Map<string, ReadonlySet<string>>();

  constructor(api: VmApiAccess) {
    this.#api = api;
  }

  /** Where the instance or machine with this id is; undefined when there is none. Throws `refused` when there are several. */
  async find(id: string, signal: AbortSignal): Promise<InstanceKey | undefined> {
    if (id.includes('/')) return parseKey(id);
    const keys = this.#known.get(id) ?? (await this.#learn(signal)).get(id) ?? new Set();
    const [only] = keys;
    if (keys.size > 1) {
      const all = [...keys].toSorted().join(', ');
      throw new ComputeError('refused', `several have the id ${id}: ${all}; give all but one another firmware.uuid`);
    }
    return only === undefined ? undefined : parseKey(only);
  }

  /** The same for one that has to be there. Throws `not-found`. */
  async require(id: string, signal: AbortSignal): Promise<InstanceKey> {
    const key = await this.find(id, signal);
    if (key) return key;
    throw new ComputeError('not-found', `there is no instance ${id}`);
  }

  /** Where an instance was seen by its id. */
  remember(id: string, key: InstanceKey): void {
    this.#known.set(id, new Set([printKey(key)]));
  }

  /** What was remembered of an id was wrong. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  async #learn(signal: AbortSignal): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const { instances, machines } = this.#api;
    const [made, meant] = await Promise.all([
      this.#api.all(instances, { signal }),
      this.#api.all(machines, { signal }),
    ]);
    const pairs = [
      ...made.map((vmi) => [instanceIdOf(vmi), printKey(vmi.metadata)] as const),
      ...meant.map((machine) => [idOfMachine(machine), printKey(machine.metadata)] as const),
    ];
    const known = new Map<string, Set<string>>();
    for (const [id, key] of pairs) known.set(id, (known.get(id) ?? new Set()).add(key));
    this.#known = known;
    return known;
  }
}
