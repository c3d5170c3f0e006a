import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { objectKey } from '../../live/object-key.ts';

/** A virtual machine with what runs of it. An instance that somebody made alone has no virtual machine. */
export interface Machine {
  /** `namespace/name`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly virtualMachine: VirtualMachine | undefined;
  readonly instance: VirtualMachineInstance | undefined;
}

export function makeMachine(
  virtualMachine: VirtualMachine | undefined,
  instance: VirtualMachineInstance | undefined,
): Machine | undefined {
  const metadata = virtualMachine?.metadata ?? instance?.metadata;
  if (metadata === undefined) return undefined;
  const { namespace = '', name } = metadata;
  return { key: objectKey(metadata), namespace, name, virtualMachine, instance };
}

/** Makes machines. For the same two objects it gives the same machine again, so that what did not change is seen as such. */
export class MachineMaker {
  readonly #made = new WeakMap<object, Machine>();

  make(virtualMachine: VirtualMachine | undefined, instance: VirtualMachineInstance | undefined): Machine | undefined {
    const main = virtualMachine ?? instance;
    if (main === undefined) return undefined;
    const known = this.#made.get(main);
    if (known?.virtualMachine === virtualMachine && known?.instance === instance) return known;
    const machine = makeMachine(virtualMachine, instance);
    if (machine !== undefined) this.#made.set(main, machine);
    return machine;
  }
}

/** Joins machines and instances by key. */
export function joinMachines(
  virtualMachines: readonly VirtualMachine[],
  instances: readonly VirtualMachineInstance[],
  maker: MachineMaker,
): readonly Machine[] {
  const instanceByKey = new Map(instances.map((instance) => [objectKey(instance.metadata), instance]));
  const machineKeys = new Set(virtualMachines.map(({ metadata }) => objectKey(metadata)));
  return [
    ...virtualMachines.map((machine) => maker.make(machine, instanceByKey.get(objectKey(machine.metadata)))),
    ...instances
      .filter(({ metadata }) => !machineKeys.has(objectKey(metadata)))
      .map((instance) => maker.make(undefined, instance)),
  ].filter((machine) => machine !== undefined);
}
