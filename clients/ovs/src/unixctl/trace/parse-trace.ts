import { OvsError } from '../../ovs-error.ts';
import { decideVerdict } from './decide-verdict.ts';
import { growTraceTree } from './grow-trace-tree.ts';
import type { TracePass, TraceReport } from './trace-report.ts';

const SEPARATOR = /^={20,}$/;
const FLOW = 'Flow: ';
const FINAL_FLOW = 'Final flow: ';

/** Reads what `ofproto/trace` says. */
export function parseTrace(text: string): TraceReport {
  const passes = splitPasses(text.split(/\r?\n/)).map(readPass);
  const [first] = passes;
  if (first === undefined) {
    throw new OvsError('protocol', `this is no trace: ${JSON.stringify(text.slice(0, 100))}`);
  }
  return { flow: first.flow, passes, verdict: decideVerdict(passes), text };
}

interface RawPass {
  readonly resumedBy: string | undefined;
  readonly lines: readonly string[];
}

/** A later pass has a heading between two lines of equals signs. */
function splitPasses(lines: readonly string[]): readonly RawPass[] {
  const borders = lines.flatMap((line, index) => (SEPARATOR.test(line) ? [index] : []));
  const passes: RawPass[] = [{ resumedBy: undefined, lines: lines.slice(0, borders[0]) }];
  for (let border = 0; border + 1 < borders.length; border += 2) {
    const heading = lines.slice((borders[border] ?? 0) + 1, borders[border + 1]);
    const body = lines.slice((borders[border + 1] ?? 0) + 1, borders[border + 2]);
    passes.push({ resumedBy: heading[0], lines: body });
  }
  return passes.filter((pass) => pass.lines.some((line) => line.startsWith(FLOW)));
}

function readPass({ resumedBy, lines }: RawPass): TracePass {
  const start = lines.findIndex((line) => line.startsWith(FLOW));
  const end = lines.findIndex((line) => line.startsWith(FINAL_FLOW));
  const tree = growTraceTree(lines.slice(start + 1, end === -1 ? undefined : end));
  const summary = end === -1 ? [] : lines.slice(end);
  const [head, ...rest] = tree;
  const isBridgeFirst = head?.kind === 'bridge';
  return {
    flow: valueOf(lines, FLOW) ?? '',
    resumedBy,
    bridge: isBridgeFirst ? head.bridge : undefined,
    steps: isBridgeFirst ? [...head.steps, ...rest] : tree,
    finalFlow: valueOf(summary, FINAL_FLOW),
    megaflow: valueOf(summary, 'Megaflow: '),
    datapathActions: valueOf(summary, 'Datapath actions: '),
    remarks: remarksOf(summary),
  };
}

function valueOf(lines: readonly string[], name: string): string | undefined {
  return lines.find((line) => line.startsWith(name))?.slice(name.length);
}

function remarksOf(summary: readonly string[]): readonly string[] {
  const known = [FINAL_FLOW, 'Megaflow: ', 'Datapath actions: '];
  return summary
    .map((line) => line.trim())
    .filter((line) => line !== '' && !known.some((name) => line.startsWith(name)));
}
