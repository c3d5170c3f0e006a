import { GuestState, InstanceState } from '@smalt/compute';
import type { Server } from '@smalt/openstack';

/** Nova's numbers for what a guest does. */
const PowerState = { running: 1, paused: 3, shutDown: 4, crashed: 6, suspended: 7 } as const;

const DELETING_TASKS = new Set(['deleting', 'soft-deleting', 'force-deleting']);

const STATES = new Map<string, InstanceState>([
  ['ACTIVE', InstanceState.running],
  ['BUILD', InstanceState.building],
  ['DELETED', InstanceState.deleting],
  ['ERROR', InstanceState.failed],
  ['HARD_REBOOT', InstanceState.busy],
  ['MIGRATING', InstanceState.moving],
  ['PASSWORD', InstanceState.busy],
  ['PAUSED', InstanceState.paused],
  ['REBOOT', InstanceState.busy],
  ['REBUILD', InstanceState.busy],
  ['RESCUE', InstanceState.rescued],
  ['RESIZE', InstanceState.moving],
  ['REVERT_RESIZE', InstanceState.moving],
  // Its host still has it until Nova offloads it, and Nova refuses to move it.
  ['SHELVED', InstanceState.shelved],
  ['SHELVED_OFFLOADED', InstanceState.shelved],
  ['SHUTOFF', InstanceState.stopped],
  ['SOFT_DELETED', InstanceState.deleting],
  ['SUSPENDED', InstanceState.suspended],
  // Nothing is known of it until its cell can be reached again.
  ['UNKNOWN', InstanceState.busy],
  ['VERIFY_RESIZE', InstanceState.unconfirmed],
]);

const GUEST_STATES = new Map<number | undefined, GuestState>([
  [PowerState.running, GuestState.running],
  [PowerState.paused, GuestState.paused],
  [PowerState.shutDown, GuestState.off],
  [PowerState.crashed, GuestState.off],
  [PowerState.suspended, GuestState.off],
]);

export type ServerStanding = Pick<Server, 'status' | 'taskState' | 'powerState'>;

/** What a server is doing, from its status, the task it is at, and what its guest does. */
export function instanceState({ status, taskState, powerState }: ServerStanding): InstanceState {
  const state = STATES.get(status);
  if (state === InstanceState.deleting || DELETING_TASKS.has(taskState ?? '')) return InstanceState.deleting;
  // A failure stays one whatever the guest does: Nova moves nothing that is in ERROR.
  if (state === InstanceState.failed || state === InstanceState.building) return state;
  if (taskState !== undefined) return stateOfTask(taskState);
  if (state === undefined) return powerState === PowerState.running ? InstanceState.running : InstanceState.busy;
  // Nova notices within minutes that a guest has stopped by itself; until then a live move of it would fail.
  const isOff = powerState === PowerState.shutDown || powerState === PowerState.crashed;
  return state === InstanceState.running && isOff ? InstanceState.stopped : state;
}

/** What Nova last saw of the guest: from minutes ago, unless its host has told of a change. */
export function guestState({ powerState }: Pick<ServerStanding, 'powerState'>): GuestState {
  return GUEST_STATES.get(powerState) ?? GuestState.unknown;
}

/** Whether it is meant to run as far as its state tells: of one that is stopped, only its history does. */
export function isMeantToRun({ vmState }: Pick<Server, 'vmState'>): boolean {
  return vmState === 'active';
}

function stateOfTask(taskState: string): InstanceState {
  return taskState === 'migrating' || taskState.startsWith('resize_') ? InstanceState.moving : InstanceState.busy;
}

/** The words for it in messages: `ACTIVE`, or `ACTIVE (image_snapshot)` while it is at a task. */
export function instanceStateText({ status, taskState }: ServerStanding): string {
  return taskState === undefined ? status : `${status} (${taskState})`;
}
