import { isJsonObject, jsonField, parseJson } from '@smalt/json';
import {
  isFinalPhase,
  VirtualMachineInstancePhase as Phase,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';

import { isAlwaysStarted } from './instances/read-instance.ts';

/** That a machine was asked to run elsewhere, as it is noted on it. */
export interface Relocation {
  readonly id: string;
  /** The node that it leaves. */
  readonly source: string;
  /** The uid of the instance that it had there. The next one has another. */
  readonly instanceUid: string;
  /** RFC 3339. */
  readonly startedAt: string;
  /** The last heartbeat of the node that it leaves, in the very words of the Node: whoever shows another is heard of again. */
  readonly heartbeat?: string | undefined;
  /** Why nothing comes of it. */
  readonly failure?: string | undefined;
}

/** Reads the note; undefined for a text that is none. */
export function parseRelocation(text: string | undefined): Relocation | undefined {
  const value = text === undefined ? undefined : parseOrUndefined(text);
  if (!isJsonObject(value)) return undefined;
  const [id, source] = [jsonField(value, 'id'), jsonField(value, 'source')];
  const [instanceUid, startedAt] = [jsonField(value, 'instanceUid'), jsonField(value, 'startedAt')];
  const [heartbeat, failure] = [jsonField(value, 'heartbeat'), jsonField(value, 'failure')];
  if (typeof id !== 'string' || typeof source !== 'string') return undefined;
  if (typeof instanceUid !== 'string' || typeof startedAt !== 'string') return undefined;
  return {
    id,
    source,
    instanceUid,
    startedAt,
    ...(typeof heartbeat === 'string' ? { heartbeat } : {}),
    ...(typeof failure === 'string' ? { failure } : {}),
  };
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export interface RelocationState {
  readonly state: 'open' | 'done' | 'failed';
  readonly text: string;
  readonly targetName: string | undefined;
}

/**
 * How a relocation stands. Only another instance than the one that was there says anything: the old one may look alive
 * until its node is heard of again, or proved to be off.
 */
export function judgeRelocation(
  { instanceUid, failure }: Relocation,
  machine: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
): RelocationState {
  if (failure !== undefined) return { state: 'failed', text: failure, targetName: undefined };
  const next = vmi?.metadata.uid === instanceUid ? undefined : vmi;
  const targetName = next?.status?.nodeName === '' ? undefined : next?.status?.nodeName;
  const phase = next?.status?.phase ?? Phase.unset;
  if (phase === Phase.running) return { state: 'done', text: phase, targetName };
  if (machine.metadata.deletionTimestamp !== undefined) {
    return { state: 'failed', text: 'the machine is being deleted', targetName };
  }
  const isOver = vmi === undefined || isFinalPhase(phase);
  if (isOver && !isAlwaysStarted(machine) && !hasOrders(machine)) {
    return { state: 'failed', text: 'the machine was stopped meanwhile', targetName };
  }
  return {
    state: 'open',
    text: next === undefined ? 'waiting for the old instance to go' : phase || 'Pending',
    targetName,
  };
}

/** Whether somebody has asked for a start that is still to come. */
function hasOrders({ status }: VirtualMachine): boolean {
  return (status?.stateChangeRequests ?? []).some(({ action }) => action === 'Start');
}
