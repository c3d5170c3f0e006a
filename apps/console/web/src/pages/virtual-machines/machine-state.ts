import type { Tone } from '../../parts/status-badge.tsx';
import type { Machine } from './machine.ts';

/** A state in words and in what to make of it. */
export interface MachineState {
  readonly words: string;
  readonly tone: Tone;
}

const STATES: Readonly<Record<string, MachineState>> = {
  Stopped: { words: 'Stopped', tone: 'quiet' },
  Provisioning: { words: 'Preparing volumes', tone: 'busy' },
  Starting: { words: 'Starting', tone: 'busy' },
  Running: { words: 'Running', tone: 'good' },
  Paused: { words: 'Paused', tone: 'warning' },
  Stopping: { words: 'Stopping', tone: 'busy' },
  Terminating: { words: 'Being deleted', tone: 'busy' },
  CrashLoopBackOff: { words: 'Crashes again and again', tone: 'bad' },
  Migrating: { words: 'Migrating', tone: 'busy' },
  Unknown: { words: 'Unknown: its host is silent', tone: 'warning' },
  ErrorUnschedulable: { words: 'No host has room', tone: 'bad' },
  ErrImagePull: { words: 'Image cannot be had', tone: 'bad' },
  ImagePullBackOff: { words: 'Image cannot be had', tone: 'bad' },
  ErrorPvcNotFound: { words: 'A volume is missing', tone: 'bad' },
  DataVolumeError: { words: 'A volume has failed', tone: 'bad' },
  WaitingForVolumeBinding: { words: 'Waiting for a volume', tone: 'busy' },
  WaitingForReceiver: { words: 'Waiting for a migration', tone: 'busy' },
  Succeeded: { words: 'Ended', tone: 'quiet' },
  Failed: { words: 'Failed', tone: 'bad' },
  Pending: { words: 'Waiting', tone: 'busy' },
  Scheduling: { words: 'Looking for a host', tone: 'busy' },
  Scheduled: { words: 'Starting', tone: 'busy' },
};

/** What the machine is doing, for people. The words are those of the filter, too. */
export function machineState(machine: Machine): MachineState {
  const { virtualMachine, instance } = machine;
  if (virtualMachine === undefined) return wordsOf(instanceStatus(machine));
  const printable = virtualMachine.status?.printableStatus;
  if (printable !== undefined) return wordsOf(printable);
  return instance === undefined ? { words: 'New', tone: 'busy' } : wordsOf(instanceStatus(machine));
}

export function isMigrating({ instance }: Machine): boolean {
  const state = instance?.status?.migrationState;
  return state !== undefined && state.completed !== true && state.failed !== true;
}

export function isPaused({ instance }: Machine): boolean {
  return instance?.status?.conditions?.some(({ type, status }) => type === 'Paused' && status === 'True') === true;
}

export function isRunning({ instance }: Machine): boolean {
  return instance?.status?.phase === 'Running' && instance.metadata.deletionTimestamp === undefined;
}

function instanceStatus(machine: Machine): string {
  const { instance } = machine;
  if (instance?.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (isMigrating(machine)) return 'Migrating';
  if (isPaused(machine)) return 'Paused';
  return instance?.status?.phase ?? 'Pending';
}

function wordsOf(status: string): MachineState {
  return STATES[status] ?? { words: status, tone: 'quiet' };
}
