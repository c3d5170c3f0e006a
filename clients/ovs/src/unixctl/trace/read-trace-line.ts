import type { TraceStep } from './trace-report.ts';

/** A step that is still being filled. */
export type GrowingStep = TraceStep & { readonly steps: TraceStep[] };

/** A line of the tree: how far it is indented, and what it says. */
export interface TraceLine {
  readonly column: number;
  readonly step: GrowingStep;
}

const TABLE = /^( *)(\d+)\. (.*)$/;
const BRIDGE = /^( *)bridge\("(.*)"\)$/;
const NOTE = /^( *) (->|>>>>|>>) (.*?)(?: <<<<)?$/;
const RESUMING = /^( *)(thaw|Resuming from .*)$/;
const MATCHED = /^(?:(.*), )?priority (\d+)(?:, cookie (0x[0-9a-f]+))?$/;
const SEVERITIES = { '->': 'info', '>>': 'warning', '>>>>': 'error' } as const;

/** Reads one line of the tree, or gives undefined for one that only underlines or separates. */
export function readTraceLine(line: string): TraceLine | undefined {
  if (/^[ -]*$/.test(line)) return undefined;
  return readTable(line) ?? readBridge(line) ?? readNote(line) ?? readAction(line);
}

function readTable(line: string): TraceLine | undefined {
  const [, indent, digits, text] = TABLE.exec(line) ?? [];
  if (indent === undefined || digits === undefined || text === undefined) return undefined;
  // Numbers are written two wide.
  const column = indent.length - (digits.length === 1 ? 1 : 0);
  const table = Number(digits);
  const [, match = '', priority, cookie] = MATCHED.exec(text) ?? [];
  if (priority === undefined) {
    const none = { match: undefined, priority: undefined, cookie: undefined };
    return { column, step: { kind: 'table', table, ...none, steps: [] } };
  }
  const found = { match, priority: Number(priority), cookie: cookie === undefined ? undefined : BigInt(cookie) };
  return { column, step: { kind: 'table', table, ...found, steps: [] } };
}

function readBridge(line: string): TraceLine | undefined {
  const [, indent, bridge] = BRIDGE.exec(line) ?? [];
  if (indent === undefined || bridge === undefined) return undefined;
  return { column: indent.length, step: { kind: 'bridge', bridge, steps: [] } };
}

function readNote(line: string): TraceLine | undefined {
  const [, indent, arrow, text] = NOTE.exec(line) ?? [];
  if (indent !== undefined && text !== undefined && (arrow === '->' || arrow === '>>' || arrow === '>>>>')) {
    return { column: indent.length, step: { kind: 'note', severity: SEVERITIES[arrow], text, steps: [] } };
  }
  const [, space, resuming] = RESUMING.exec(line) ?? [];
  if (space === undefined || resuming === undefined) return undefined;
  return { column: space.length, step: { kind: 'note', severity: 'info', text: resuming, steps: [] } };
}

function readAction(line: string): TraceLine {
  const text = line.trimStart();
  return { column: line.length - text.length, step: { kind: 'action', text, steps: [] } };
}
