import { printInstructions } from './actions/print-action.ts';
import type { Flow } from './flow.ts';
import { printMatch } from './match/print-match.ts';

const DEFAULT_PRIORITY = 32_768;
const FLAGS: readonly string[] = [
  'send_flow_rem',
  'check_overlap',
  'reset_counts',
  'no_packet_counts',
  'no_byte_counts',
];

/** A flow in the notation of `ovs-ofctl dump-flows --no-stats --no-names`. */
export function printFlow(flow: Flow): string {
  const head = [
    flow.cookie === 0n ? '' : `cookie=0x${flow.cookie.toString(16)}, `,
    flow.table === 0 ? '' : `table=${flow.table}, `,
    flow.idleTimeout === 0 ? '' : `idle_timeout=${flow.idleTimeout}, `,
    flow.hardTimeout === 0 ? '' : `hard_timeout=${flow.hardTimeout}, `,
    ...FLAGS.filter((_, bit) => ((flow.flags >>> bit) & 1) === 1).map((name) => `${name} `),
    flow.importance === 0 ? '' : `importance=${flow.importance}, `,
  ].join('');
  const priority = flow.priority === DEFAULT_PRIORITY ? [] : [`priority=${flow.priority}`];
  const match = [...priority, printMatch(flow.match)].filter((part) => part !== '').join(',');
  return `${head}${match}${match === '' ? '' : ' '}actions=${printInstructions(flow.instructions)}`;
}
