import type { Figure } from '../src/benchmark.ts';
import { costRatio } from '../src/ratio.ts';
import { type SampleSummary, summarizeSamples } from '../src/sample-summary.ts';
import type { PeerAnswers } from './measure-peers.ts';
import type { Measure } from './measures.ts';
import type { PeerAnswer } from './peer-answer.ts';
import type { PeerName } from './peer-name.ts';

/** What the rounds of one measure came to. A peer that is not at hand has none. */
export interface MeasureResult {
  readonly measure: Measure;
  readonly wall: ReadonlyMap<PeerName, SampleSummary>;
  readonly cpu: ReadonlyMap<PeerName, SampleSummary>;
}

/** Seconds per operation, wall and CPU, over the rounds of each peer. */
export function summarizeAnswers(measure: Measure, answers: PeerAnswers): MeasureResult {
  return {
    measure,
    wall: summaries(answers, (answer) => answer.seconds / answer.operations),
    cpu: summaries(answers, (answer) => answer.cpuSeconds / answer.operations),
  };
}

/** The peer's median over ours. */
export function medianRatio(costs: ReadonlyMap<PeerName, SampleSummary>, peer: PeerName): Figure {
  return costRatio(costs.get(peer)?.median, costs.get('smalt')?.median);
}

function summaries(
  answers: PeerAnswers,
  perOperation: (answer: PeerAnswer) => number,
): ReadonlyMap<PeerName, SampleSummary> {
  const result = new Map<PeerName, SampleSummary>();
  for (const [name, rounds] of answers) {
    const summary = summarizeSamples(rounds.map(perOperation));
    if (summary) result.set(name, summary);
  }
  return result;
}
