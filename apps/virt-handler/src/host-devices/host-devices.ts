import type { DomainHostDevice } from '@smalt/domain-xml';
import type { PodSandbox } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import { VirtHandlerError } from '../virt-handler-error.ts';
import type { DeviceClaims, DeviceList } from './device-claims.ts';
import { givenDevices } from './given-devices.ts';
import type { NodeDevice } from './node-device.ts';

export interface HostDevicesOptions {
  readonly read: () => Promise<readonly NodeDevice[]>;
  readonly claims: DeviceClaims;
  /** All names that devices can have here. */
  readonly resources: readonly string[];
  /** Whether a kubelet gives the devices of this node to pods: a guest then gets none but those of its own. */
  readonly hasKubelet: boolean;
}

/** What a device is wanted for. */
export interface DeviceWish {
  readonly instance: VirtualMachineInstance;
  /** Undefined where the pod is not known. */
  readonly sandbox?: PodSandbox | undefined;
  readonly resource: string;
  /** Its name in the instance, the list that it is in, and the field of it. */
  readonly name: string;
  readonly list: DeviceList;
  readonly field: string;
}

/** Gives devices of this node to guests: those that a kubelet has given to their pods, or without one the first that are free. */
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
      ...gpus.map((each, index) => ({ ...each, list: 'gpus', index }) as const),
      ...hostDevices.map((each, index) => ({ ...each, list: 'hostDevices', index }) as const),
    ];
    const found: DomainHostDevice[] = [];
    for (const { name, deviceName, list, index } of wishes) {
      const field = `spec.domain.devices.${list}[${index}]`;
      if (deviceName === undefined || deviceName === '') {
        const message = `${field}: this node gives devices by deviceName, and knows of no claims; set it`;
        throw new VirtHandlerError('no-device', message, { field });
      }
      const device = await this.give({ instance, sandbox, resource: deviceName, name, list, field });
      found.push(
        device.kind === 'pci' ? { kind: 'pci', name, address: device.id } : { kind: 'mediated', name, uuid: device.id },
      );
    }
    return found;
  }

  /** One device of a resource for one use. The same each time. Throws `no-device`. */
  async give({ instance, sandbox, resource, name, list, field }: DeviceWish): Promise<NodeDevice> {
    const { claims, read, hasKubelet } = this.#options;
    const all = await read();
    const given = sandbox === undefined ? undefined : await givenDevices(sandbox, resource);
    const permitted = all.filter((each) => each.resource === resource && (given?.includes(each.id) ?? true));
    const usable = permitted.filter(({ problem }) => problem === undefined);
    const use = { uid: instance.metadata.uid ?? '', name, list };
    const isUntold = hasKubelet && given === undefined;
    const device = await (isUntold ? claims.find(usable, use) : claims.claim(usable, use, all));
    if (device !== undefined) return device;
    const reason = isUntold ? whyNotGiven(resource, sandbox) : whyNot(resource, permitted);
    throw new VirtHandlerError('no-device', `${field}: ${reason}`, { field });
  }
}

function whyNotGiven(resource: string, sandbox: PodSandbox | undefined): string {
  const pod = sandbox === undefined ? 'of the instance' : `${sandbox.namespace}/${sandbox.name}`;
  return `the kubelet has given the pod ${pod} no device ${resource}, and may give those of the node to others; ask for it by hostDevices with that deviceName`;
}

function whyNot(resource: string, devices: readonly NodeDevice[]): string {
  const problem = devices.find((each) => each.problem !== undefined)?.problem;
  if (problem !== undefined) return problem;
  if (devices.length > 0) return `all ${devices.length} devices ${resource} of this node belong to other guests`;
  return `this node has no device ${resource}; name it in the setting hostDevices.pci or hostDevices.mediated of the virt-handler`;
}
