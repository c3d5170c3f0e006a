import { type DatapathAction, splitDatapathActions } from './split-datapath-actions.ts';
import type { TracePass, TraceStep, TraceVerdict } from './trace-report.ts';

/** Words without brackets that are no ports. */
const WORDS: ReadonlySet<string> = new Set([
  'drop',
  'ct',
  'ct_clear',
  'pop_vlan',
  'pop_eth',
  'pop_nsh',
  'push_eth',
  '<none>',
  '<error>',
]);
/** Actions that hold others. */
const NESTING: ReadonlySet<string> = new Set(['clone', 'check_pkt_len', 'gt', 'le', 'sample', 'actions']);

/** Says what became of the packet in the end, from what the datapath would do in all passes. */
export function decideVerdict(passes: readonly TracePass[]): TraceVerdict {
  const actions = passes.flatMap((pass) => flatten(pass.datapathActions ?? ''));
  const ports = actions.flatMap(portsOf);
  if (ports.length > 0) return { kind: 'output', ports: [...new Set(ports)] };
  const steps = passes.flatMap((pass) => pass.steps.flatMap(withinOf));
  const isForController =
    actions.some(({ name, inside }) => name === 'userspace' && inside?.includes('controller(') === true) ||
    // A packet that waits for the controller's answer is not seen in the datapath's actions.
    steps.some((step) => step.kind === 'action' && /^controller[(:]/i.test(step.text));
  return isForController ? { kind: 'controller' } : { kind: 'drop', why: reasonOf(passes.at(-1)?.steps ?? []) };
}

function flatten(text: string): readonly DatapathAction[] {
  return splitDatapathActions(text).flatMap((action) => {
    const isNesting = NESTING.has(action.name) && action.inside !== undefined;
    return isNesting ? flatten(action.inside ?? '') : [action];
  });
}

function portsOf({ name, inside }: DatapathAction): readonly string[] {
  if (name === 'tnl_push') return [/out_port\(([^)]*)\)/.exec(inside ?? '')?.[1] ?? 'tunnel'];
  if (name === 'lb_output') return [`lb_output(${inside})`];
  // `recirc(0x3)`, `set(…)` and the like have brackets; a fraction such as `50%` or a size is part of what holds it.
  const isPort = inside === undefined && !WORDS.has(name) && !/[=%]/.test(name);
  return isPort ? [name] : [];
}

/** The last word of the switch before the packet was gone. */
function reasonOf(steps: readonly TraceStep[]): string | undefined {
  const all = steps.flatMap(withinOf);
  const complaint = all.findLast((step) => step.kind === 'note' && step.severity !== 'info');
  if (complaint?.kind === 'note') return complaint.text;
  const table = all.findLast((step) => step.kind === 'table');
  if (table?.kind !== 'table') return undefined;
  return table.match === undefined
    ? `no flow of table ${table.table} matches`
    : `the flow of table ${table.table} with priority ${table.priority} sends it nowhere`;
}

function withinOf(step: TraceStep): readonly TraceStep[] {
  return [step, ...step.steps.flatMap(withinOf)];
}
