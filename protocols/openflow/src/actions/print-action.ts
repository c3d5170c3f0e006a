import { printHex, printValue } from '../match/print-value.ts';
import { FIRST_SPECIAL_PORT, PORT_CONTROLLER, printPort } from '../port-number.ts';
import type { Action, ConntrackAction, ControllerAction, Instruction } from './action.ts';
import { printLearn } from './print-learn.ts';
import { printSubfield } from './print-subfield.ts';

const WHOLE_PACKET = 0xffff;
const APPLICATIONS: ReadonlyMap<number, string> = new Map([
  [21, 'ftp'],
  [69, 'tftp'],
]);
const REASONS: readonly string[] = [
  'no_match',
  'action',
  'invalid_ttl',
  'action_set',
  'group',
  'packet_out',
  'explicit_miss',
  'implicit_miss',
];
const BECAUSE_OF_ACTION = 1;

/** A list of actions in the notation of ovs-ofctl. */
export function printActions(actions: readonly Action[]): string {
  return actions.length === 0 ? 'drop' : actions.map(printAction).join(',');
}

/** What a flow does, in the notation of ovs-ofctl. */
export function printInstructions(instructions: readonly Instruction[]): string {
  const parts = instructions.map(printInstruction).filter((part) => part !== '');
  return parts.length === 0 ? 'drop' : parts.join(',');
}

function printInstruction(instruction: Instruction): string {
  switch (instruction.kind) {
    case 'meter':
      return `meter:${instruction.meter}`;
    case 'apply-actions':
      return instruction.actions.map(printAction).join(',');
    case 'clear-actions':
      return 'clear_actions';
    case 'write-actions':
      return `write_actions(${printActions(instruction.actions)})`;
    case 'write-metadata': {
      const isWhole = instruction.mask === 0xffff_ffff_ffff_ffffn;
      return `write_metadata:${printHex(instruction.value)}${isWhole ? '' : `/${printHex(instruction.mask)}`}`;
    }
    case 'goto-table':
      return `goto_table:${instruction.table}`;
    case 'unknown':
      return `unknown_instruction(0x${instruction.hex})`;
  }
}

/** One action in the notation of ovs-ofctl. One that is not known shows its bytes. */
function printAction(action: Action): string {
  switch (action.kind) {
    case 'output':
      return printOutput(action.port, action.maxLength);
    case 'output-field':
      return `output:${printSubfield(action.source)}`;
    case 'controller':
      return printController(action);
    case 'group':
      return `group:${action.group}`;
    case 'resubmit':
      return printResubmit(action);
    case 'set-field':
      return `set_field:${printValue(action.target)}->${action.target.field.name}`;
    case 'load':
      return `load:${printHex(action.value)}->${printSubfield(action.destination)}`;
    case 'move':
      return `move:${printSubfield(action.source)}->${printSubfield(action.destination)}`;
    case 'ct':
      return printConntrack(action);
    case 'clone':
      return `clone(${printActions(action.actions)})`;
    case 'learn':
      return printLearn(action);
    case 'conjunction':
      return `conjunction(${action.id},${action.clause}/${action.clauses})`;
    case 'note':
      return `note:${dotted(action.hex)}`;
    case 'check-packet-larger':
      return `check_pkt_larger(${action.length})->${printSubfield(action.destination)}`;
    case 'nat':
    case 'other':
      return action.text;
    case 'unknown':
      return `unknown_action(0x${action.hex})`;
  }
}

function printOutput(port: number, maxLength: number | undefined): string {
  if (port < FIRST_SPECIAL_PORT) return `output:${port}`;
  return port === PORT_CONTROLLER ? `CONTROLLER:${maxLength ?? WHOLE_PACKET}` : printPort(port);
}

function printResubmit(action: Extract<Action, { kind: 'resubmit' }>): string {
  const port = action.port === undefined ? '' : printPort(action.port);
  if (action.port !== undefined && action.table === undefined) return `resubmit:${port}`;
  return `resubmit(${port},${action.table ?? ''}${action.isConntrackOriginal ? ',ct' : ''})`;
}

function printController(action: ControllerAction): string {
  const { controller, userData, isPaused, meter, maxLength } = action;
  const parts = [
    action.reason === BECAUSE_OF_ACTION ? '' : `reason=${REASONS[action.reason] ?? action.reason}`,
    maxLength === WHOLE_PACKET ? '' : `max_len=${maxLength}`,
    controller === 0 ? '' : `id=${controller}`,
    userData === '' ? '' : `userdata=${dotted(userData)}`,
    isPaused ? 'pause' : '',
    meter === undefined ? '' : `meter_id=${meter}`,
  ].filter((part) => part !== '');
  const isPlain = parts.every((part) => part.startsWith('max_len='));
  return isPlain ? `CONTROLLER:${maxLength}` : `controller(${parts.join(',')})`;
}

function printConntrack(action: ConntrackAction): string {
  const { zone, table, actions, application } = action;
  // ovs-ofctl writes the translation of addresses outside of exec(…) if it comes first.
  const nat = actions[0]?.kind === 'nat' ? actions[0] : undefined;
  const nested = nat === undefined ? actions : actions.slice(1);
  const parts = [
    action.isCommit ? 'commit' : '',
    action.isForced ? 'force' : '',
    table === undefined ? '' : `table=${table}`,
    printZone(zone),
    nat?.text ?? '',
    nested.length === 0 ? '' : `exec(${printActions(nested)})`,
    application === 0 ? '' : `alg=${APPLICATIONS.get(application) ?? application}`,
  ];
  return `ct(${parts.filter((part) => part !== '').join(',')})`;
}

function printZone(zone: ConntrackAction['zone']): string {
  if (typeof zone !== 'number') return `zone=${printSubfield(zone)}`;
  return zone === 0 ? '' : `zone=${zone}`;
}

function dotted(hex: string): string {
  return hex.replaceAll(/(..)(?!$)/g, '$1.');
}
