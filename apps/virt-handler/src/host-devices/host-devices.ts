import type { DomainHostDevice } from '@smalt/domain-xml';
import type { PodSandbox } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import { VirtHandlerError } from '../virt-handler-error.ts';
import type { DeviceClaims } from './device-claims.ts';
import { givenDevices } from './given-devices.ts';
import type { NodeDevice } from './node-device.ts';

export interface HostDevicesOptions {
  readonly read: () => Promise<readonly NodeDevice[]>;
  readonly claims: DeviceClaims;
  /** All names that devices can have here. */
  readonly resources: readonly string[];
}

/** What a device is wanted for. */
export interface DeviceWish {
  readonly instance: VirtualMachineInstance;
  /** Undefined where the pod is not known. */
  readonly sandbox?: PodSandbox | undefined;
  readonly resource: string;
  /** Its name in the instance, and the field of it. */
  readonly name: string;
  readonly field: string;
}

/** Gives devices of this node to guests: those that a kubelet has given to their pods, else the first that are free. */
export class HostDevices {
  readonly #options: HostDevicesOptions;

  constructor(options: HostDevicesOptions) {
    this.#options = options;
  }

  /** How many devices there are of each resource, if none then that; those that no guest can have do not count. */
  async counts(): Promise<Readonly<Record<string, number>>> {
    const usable = (await this.#options.read()).filter(({ problem }) => problem === undefined);
    const counts = new Map<string, number>(this.#options.resources.map((resource) => [resource, 0]));
    for (const { resource } of usable) counts.set(resource, (counts.get(resource) ?? 0) + 1);
    return Object.fromEntries(counts);
  }

  /** The devices for `gpus` and `hostDevices` of an instance. Throws `no-device` with the field and what to do. */
  async find(instance: VirtualMachineInstance, sandbox: PodSandbox): Promise<readonly DomainHostDevice[]> {
    const { gpus = [], hostDevices = [] } = instance.spec.domain.devices;
    const wishes = [
      ...gpus.map((each, index) => ({ ...each, field: `spec.domain.devices.gpus[${index}]` })),
      ...hostDevices.map((each, index) => ({ ...each, field: `spec.domain.devices.hostDevices[${index}]` })),
    ];
    const found: DomainHostDevice[] = [];
    for (const { name, deviceName, field } of wishes) {
      if (deviceName === undefined || deviceName === '') {
        const message = `${field}: this node gives devices by deviceName, and knows of no claims; set it`;
        throw new VirtHandlerError('no-device', message, { field });
      }
      const device = await this.give({ instance, sandbox, resource: deviceName, name, field });
      found.push(
        device.kind === 'pci' ? { kind: 'pci', name, address: device.id } : { kind: 'mediated', name, uuid: device.id },
      );
    }
    return found;
  }

  /** One device of a resource for one use. The same each time. Throws `no-device`. */
  async give({ instance, sandbox, resource, name, field }: DeviceWish): Promise<NodeDevice> {
    const all = (await this.#options.read()).filter((device) => device.resource === resource);
    const given = sandbox === undefined ? undefined : await givenDevices(sandbox, resource);
    const permitted = given === undefined ? all : all.filter(({ id }) => given.includes(id));
    const usable = permitted.filter(({ problem }) => problem === undefined);
    const device = await this.#options.claims.claim(usable, { uid: instance.metadata.uid ?? '', name });
    if (device !== undefined) return device;
    throw new VirtHandlerError('no-device', `${field}: ${whyNot(resource, permitted)}`, { field });
  }
}

function whyNot(resource: string, devices: readonly NodeDevice[]): string {
  const problem = devices.find((each) => each.problem !== undefined)?.problem;
  if (problem !== undefined) return problem;
  if (devices.length > 0) return `all ${devices.length} devices ${resource} of this node belong to other guests`;
  return `this node has no device ${resource}; name it in the setting hostDevices.pci or hostDevices.mediated of the virt-handler`;
}
