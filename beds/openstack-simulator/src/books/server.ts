import { randomUUID } from 'node:crypto';

import type { Behaviour } from '../behaviour.ts';
import type { SimulatedFlavor } from '../simulated-openstack.ts';
import type { Guest, Host } from './host.ts';
import type { Resources } from './placement-books.ts';

export interface ServerFlavor extends SimulatedFlavor {
  readonly id: string;
  readonly name: string;
  readonly ephemeralGiB: number;
}

interface Fault {
  readonly code: number;
  readonly message: string;
  readonly created: string;
}

/** Something that was done to a server. */
export interface ServerEvent {
  readonly action: string;
  readonly requestId: string;
  /** Nobody, if Nova did it itself. */
  readonly by: { readonly userId: string; readonly projectId: string } | undefined;
  readonly at: string;
}

/** A server. Its status is worked out of `vmState` and `taskState`, as Nova does. */
export interface Server extends Guest {
  readonly name: string;
  readonly projectId: string;
  readonly userId: string;
  readonly flavor: ServerFlavor;
  readonly imageId: string | undefined;
  readonly volumeIds: readonly string[];
  readonly tags: readonly string[];
  /** The zone that was asked for, which moves keep to. */
  readonly requestedZone: string | undefined;
  readonly createdAt: string;
  /** The oldest first. */
  readonly history: ServerEvent[];
  behaviour: Partial<Behaviour>;
  host: Host | undefined;
  vmState: string;
  taskState: string | undefined;
  /** What Nova was told of its guest, where that differs from what its state says. */
  powerState: number | undefined;
  /** What it goes back to once a cold move is confirmed. */
  stateBeforeMove: string | undefined;
  metadata: Readonly<Record<string, string>>;
  isLocked: boolean;
  lockedReason: string | undefined;
  fault: Fault | undefined;
  launchedAt: string | undefined;
  updatedAt: string;
  isDeleted: boolean;
}

const STATUS_OF_TASK = new Map([
  ['migrating', 'MIGRATING'],
  ['resize_prep', 'RESIZE'],
  ['resize_migrating', 'RESIZE'],
  ['resize_migrated', 'RESIZE'],
  ['resize_finish', 'RESIZE'],
  ['resize_reverting', 'REVERT_RESIZE'],
  ['rebooting', 'REBOOT'],
  ['rebooting_hard', 'HARD_REBOOT'],
  ['rebuilding', 'REBUILD'],
  ['rebuild_spawning', 'REBUILD'],
]);

const STATUS_OF_VM_STATE = new Map([
  ['active', 'ACTIVE'],
  ['stopped', 'SHUTOFF'],
  ['paused', 'PAUSED'],
  ['suspended', 'SUSPENDED'],
  ['rescued', 'RESCUE'],
  ['building', 'BUILD'],
  ['error', 'ERROR'],
  ['resized', 'VERIFY_RESIZE'],
  ['shelved', 'SHELVED'],
  ['shelved_offloaded', 'SHELVED_OFFLOADED'],
  ['soft-delete', 'SOFT_DELETED'],
]);

const POWER_STATES = new Map([
  ['active', 1],
  ['resized', 1],
  ['rescued', 1],
  ['paused', 3],
  ['stopped', 4],
  ['suspended', 4],
]);

/** The states that give a server this status, or undefined if there is no such status. */
export function statesOf(status: string): Pick<Server, 'vmState' | 'taskState'> | undefined {
  for (const [vmState, each] of STATUS_OF_VM_STATE) if (each === status) return { vmState, taskState: undefined };
  for (const [taskState, each] of STATUS_OF_TASK) if (each === status) return { vmState: 'active', taskState };
  return undefined;
}

export function statusOf({ vmState, taskState }: Server): string {
  const isErrored = vmState === 'error' && taskState === undefined;
  const ofTask = taskState === undefined || isErrored ? undefined : STATUS_OF_TASK.get(taskState);
  return ofTask ?? STATUS_OF_VM_STATE.get(vmState) ?? 'UNKNOWN';
}

export function powerStateOf({ vmState, powerState }: Server): number {
  return powerState ?? POWER_STATES.get(vmState) ?? 0;
}

/** What a server takes of its host. */
export function resourcesOf({ flavor }: Pick<Server, 'flavor'>): Resources {
  const disk = flavor.diskGiB + flavor.ephemeralGiB;
  return { VCPU: flavor.vcpus, MEMORY_MB: flavor.memoryMiB, ...(disk > 0 && { DISK_GB: disk }) };
}

/** The traits a host must have, or must not have with `!` in front, to run a server. */
export function requiredTraitsOf({ flavor }: Pick<Server, 'flavor'>): readonly string[] {
  return Object.entries(flavor.extraSpecs).flatMap(([name, value]) => {
    if (!name.startsWith('trait:')) return [];
    return [value === 'forbidden' ? `!${name.slice('trait:'.length)}` : name.slice('trait:'.length)];
  });
}

/** Notes that something was done to a server: by somebody, or by Nova itself. */
export function note(server: Server, action: string, by: ServerEvent['by']): void {
  server.history.push({ action, requestId: `req-${randomUUID()}`, by, at: new Date().toISOString() });
}

/** Says what a server is and does from now on. */
export function become(server: Server, vmState: string, taskState: string | undefined): void {
  server.vmState = vmState;
  server.taskState = taskState;
  touch(server);
}

export function touch(server: Server): void {
  server.updatedAt = new Date().toISOString();
}
