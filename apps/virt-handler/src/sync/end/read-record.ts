import { isJsonObject, type JsonValue } from '@smalt/json';
import type { SandboxProcess } from '@smalt/pod-sandbox';
import { VirtualMachineInstancePhase as Phase, type VirtualMachineInstance } from '@smalt/vm-api';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { Verdict } from '../decide/verdict.ts';
import type { InstanceRecord } from './instance-record.ts';

/** Reads a record that this program wrote. Throws `storage-failed` for anything else. */
export function readRecord(value: JsonValue, path: string): InstanceRecord {
  const { instance, podUid, bootId, launcher, shutdownAskedAt, verdict } = isJsonObject(value) ? value : {};
  const isWhole = isJsonObject(instance) && isJsonObject(instance['metadata']) && isJsonObject(instance['spec']);
  if (!isWhole || typeof podUid !== 'string' || typeof bootId !== 'string') {
    throw new VirtHandlerError('storage-failed', `${path} is damaged; end its guest by hand, then remove the file`);
  }
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came from the API and was written by this program
    instance: instance as unknown as VirtualMachineInstance,
    podUid,
    bootId,
    ...(isProcess(launcher) ? { launcher } : {}),
    ...(typeof shutdownAskedAt === 'number' ? { shutdownAskedAt } : {}),
    ...(isVerdict(verdict) ? { verdict } : {}),
  };
}

function isProcess(value: unknown): value is SandboxProcess {
  if (typeof value !== 'object' || value === null || !('processId' in value) || !('startTicks' in value)) return false;
  return typeof value.processId === 'number' && typeof value.startTicks === 'number';
}

function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== 'object' || value === null || !('phase' in value) || !('reason' in value)) return false;
  if ('migrationUid' in value && typeof value.migrationUid !== 'string') return false;
  const isEnd = value.phase === Phase.succeeded || value.phase === Phase.failed;
  return isEnd && typeof value.reason === 'string' && 'message' in value && typeof value.message === 'string';
}
