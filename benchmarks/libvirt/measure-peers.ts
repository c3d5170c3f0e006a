import { BenchmarkError } from '../src/benchmark-error.ts';
import { rotatePeers } from '../src/rotate-peers.ts';
import type { Measure } from './measures.ts';
import { parsePeerAnswer, type PeerAnswer } from './peer-answer.ts';
import type { PeerName } from './peer-name.ts';

const COMMAND_TIMEOUT_MS = 120_000;

// A just-in-time compiler needs some thousand calls; the others get the same.
const WARM_UP_FACTOR = 5;

/** What the harness needs of a peer's process. */
export interface Answering {
  ask(command: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
}

/** A peer that takes turns with the others. */
export interface MeasuredPeer {
  readonly name: PeerName;
  readonly process: Answering;
}

/** One peer's answers to one measure, a round each. */
export type PeerAnswers = ReadonlyMap<PeerName, readonly PeerAnswer[]>;

/**
 * Lets the peers take turns, one at a time, round by round. A first, longer round warms every peer up and is not
 * counted.
 * Throws `unequal-work` when a peer did more or less than the others.
 */
export async function measurePeers(
  deps: { readonly peers: readonly MeasuredPeer[]; readonly provoker: Answering },
  measure: Measure,
  rounds: number,
  signal: AbortSignal,
): Promise<PeerAnswers> {
  const answers = new Map<PeerName, PeerAnswer[]>(deps.peers.map(({ name }) => [name, []]));
  const warmUp = { ...measure, operations: measure.operations * WARM_UP_FACTOR };
  for (let round = 0; round <= rounds; round += 1) {
    const items = new Set<number>();
    for (const peer of rotatePeers(deps.peers, round)) {
      const answer = await runOnce(peer.process, deps.provoker, round === 0 ? warmUp : measure, signal);
      items.add(answer.items);
      if (round > 0) answers.get(peer.name)?.push(answer);
    }
    if (items.size > 1) {
      throw new BenchmarkError('unequal-work', `${measure.title}: peers got ${[...items].join(' and ')} items`);
    }
  }
  return answers;
}

async function runOnce(
  peer: Answering,
  provoker: Answering,
  { kind, command, operations, callers }: Measure,
  signal: AbortSignal,
): Promise<PeerAnswer> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(COMMAND_TIMEOUT_MS)]);
  if (kind === 'command') return parsePeerAnswer(await peer.ask(`${command} ${operations} ${callers}`, inTime));

  await peer.ask(`listen ${operations}`, inTime);
  const [seen] = await Promise.all([
    peer.ask('await-events', inTime),
    provoker.ask(`provoke ${operations} ${callers}`, inTime),
  ]);
  return parsePeerAnswer(seen);
}
