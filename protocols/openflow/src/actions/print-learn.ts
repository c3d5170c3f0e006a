import type { Subfield } from '../match/field.ts';
import { printHex, printValue } from '../match/print-value.ts';
import type { LearnAction, LearnPart } from './action.ts';
import { printSubfield } from './print-subfield.ts';

const DEFAULT_PRIORITY = 32_768;
const Flag = { sendsRemoval: 1, deletesLearned: 2 } as const;

/** A learn action in the notation of ovs-ofctl. */
export function printLearn(action: LearnAction): string {
  const head = [
    `table=${action.table}`,
    number('idle_timeout', action.idleTimeout),
    number('hard_timeout', action.hardTimeout),
    number('fin_idle_timeout', action.finIdleTimeout),
    number('fin_hard_timeout', action.finHardTimeout),
    action.priority === DEFAULT_PRIORITY ? '' : `priority=${action.priority}`,
    (action.flags & Flag.sendsRemoval) === 0 ? '' : 'send_flow_rem',
    (action.flags & Flag.deletesLearned) === 0 ? '' : 'delete_learned',
    action.cookie === 0n ? '' : `cookie=${printHex(action.cookie)}`,
    number('limit', action.limit),
    action.result === undefined ? '' : `result_dst=${printSubfield(action.result)}`,
  ].filter((part) => part !== '');
  return `learn(${[...head, ...action.parts.map(printPart)].join(',')})`;
}

function printPart({ kind, source, destination }: LearnPart): string {
  const text = typeof source === 'bigint' ? `0x${source.toString(16)}` : printSubfield(source);
  if (destination === undefined) return `${kind}:${text}`;
  if (kind === 'load')
    return `load:${typeof source === 'bigint' ? printHex(source) : text}->${printSubfield(destination)}`;
  return typeof source === 'bigint' ? printConstant(source, destination) : printCopy(source, destination);
}

function printConstant(value: bigint, destination: Subfield): string {
  const { field, offset, bits } = destination;
  if (offset !== 0 || bits !== field.bits) return `${printSubfield(destination)}=${printHex(value)}`;
  return `${field.name}=${printValue({ field, value, mask: undefined })}`;
}

function printCopy(source: Subfield, destination: Subfield): string {
  const isSame = source.field.name === destination.field.name && source.offset === destination.offset;
  return isSame ? printSubfield(destination) : `${printSubfield(destination)}=${printSubfield(source)}`;
}

function number(name: string, value: number): string {
  return value === 0 ? '' : `${name}=${value}`;
}
