import { readMessage } from '../wire/read-message.ts';
import { mapFields, textFields, writeMessage, type Field } from '../wire/write-message.ts';
import type { Allocation, OfferedDevice } from './device-offer.ts';

/** The version of the protocol that these messages are of. */
const PROTOCOL_VERSION = 'v1beta1';

/** Also the options of a plugin that needs neither a call before each start of a container nor one to choose among devices. */
export const EMPTY: Buffer = Buffer.alloc(0);

export interface Registration {
  /** The name of the plugin's socket in the directory of the kubelet's. */
  readonly endpoint: string;
  readonly resourceName: string;
}

export function writeRegistration({ endpoint, resourceName }: Registration): Buffer {
  return writeMessage([
    [1, PROTOCOL_VERSION],
    [2, endpoint],
    [3, resourceName],
    [4, EMPTY],
  ]);
}

/** The list of all devices. */
export function writeDevices(devices: readonly OfferedDevice[]): Buffer {
  return writeMessage(devices.map((device): Field => [1, writeDevice(device)]));
}

/** One allocation for each container that asked. */
export function writeAllocations(allocations: readonly Allocation[]): Buffer {
  return writeMessage(allocations.map((allocation): Field => [1, writeAllocation(allocation)]));
}

/** The devices that each container is to get. */
export function readAllocateRequest(bytes: Buffer): readonly (readonly string[])[] {
  return readMessage(bytes)
    .messages(1)
    .map((container) => container.texts(1));
}

export interface PreferenceRequest {
  readonly available: readonly string[];
  readonly mustInclude: readonly string[];
  readonly size: number;
}

/** From which devices each container wants how many. */
export function readPreferenceRequest(bytes: Buffer): readonly PreferenceRequest[] {
  return readMessage(bytes)
    .messages(1)
    .map((container) => ({
      available: container.texts(1),
      mustInclude: container.texts(2),
      size: container.number(3),
    }));
}

/** The devices that each container had best get. */
export function writePreferences(containers: readonly (readonly string[])[]): Buffer {
  return writeMessage(containers.map((ids): Field => [1, writeMessage(textFields(1, ids))]));
}

function writeDevice({ id, isHealthy, numaNode }: OfferedDevice): Buffer {
  const topology = numaNode === undefined ? [] : [topologyField(numaNode)];
  return writeMessage([[1, id], [2, isHealthy ? 'Healthy' : 'Unhealthy'], ...topology]);
}

function topologyField(numaNode: number): Field {
  return [3, writeMessage([[1, writeMessage([[1, numaNode]])]])];
}

function writeAllocation({ deviceNodes, environment }: Allocation): Buffer {
  const nodes = deviceNodes.map(({ hostPath, containerPath, permissions }): Field => [
    3,
    writeMessage([
      [1, containerPath],
      [2, hostPath],
      [3, permissions],
    ]),
  ]);
  return writeMessage([...mapFields(1, environment), ...nodes]);
}
