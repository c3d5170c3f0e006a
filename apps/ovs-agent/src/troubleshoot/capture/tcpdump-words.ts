import type { CaptureFilter } from '../filter/capture-filter.ts';
import { printFilter } from '../filter/print-filter.ts';

/** How much longer than it may run tcpdump is left alive if nobody ends it. */
const GRACE_SECONDS = 10;

export interface TcpdumpOptions {
  readonly tcpdump: readonly string[];
  readonly device: string;
  /** Only what comes in from the switch: an own device also carries what this machine sends to it. */
  readonly onlyIncoming: boolean;
  readonly seconds: number;
  readonly packets: number;
  readonly snapLength: number;
  readonly filter: CaptureFilter | undefined;
}

/**
 * The words that start tcpdump. `timeout` ends it even if the agent dies: a filter that nothing matches would keep it
 * for ever, since it notices that nobody reads only when it writes.
 */
export function tcpdumpWords(options: TcpdumpOptions): readonly string[] {
  const { tcpdump, device, onlyIncoming, seconds, packets, snapLength, filter } = options;
  const limit = ['timeout', '--foreground', '--kill-after=1', String(Math.ceil(seconds) + GRACE_SECONDS)];
  // Under an account of its own it could not be ended by an agent that has no right to signal others.
  const words = [
    '-Z',
    'root',
    '-n',
    '-U',
    '-p',
    '-i',
    device,
    '-s',
    String(snapLength),
    '-c',
    String(packets),
    '-w',
    '-',
  ];
  const direction = onlyIncoming ? ['-Q', 'in'] : [];
  // It begins with a parenthesis, so it is taken for no flag.
  const wanted = filter === undefined ? [] : [printFilter(filter)];
  return [...limit, ...tcpdump, ...words, ...direction, ...wanted];
}
