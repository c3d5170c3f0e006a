/** Scans of a node with more flows than this are as much seldomer as it has more. */
const SMALL_NODE_FLOWS = 10_000;
/** What one scan found is believed when a second one, so much later, finds it too. */
const CONFIRM_MS = 65_000;
/** Never seldomer than this, however large a node is. */
const LONGEST_MS = 86_400_000;

export interface ScanFacts {
  /** How often a small node is scanned. */
  readonly scanMs: number;
  /** How many flows the node had at the last scan, and whether something was wrong with them. */
  readonly flows: number;
  readonly hasFindings: boolean;
  /** From 0 to 1: spreads the scans of a fleet. */
  readonly random: number;
}

/** How long to wait for the next scan. What was found is looked at again soon, so that it is told, or goes, in time. */
export function nextScanMs({ scanMs, flows, hasFindings, random }: ScanFacts): number {
  const usualMs = Math.min(LONGEST_MS, scanMs * Math.max(1, flows / SMALL_NODE_FLOWS));
  const spreadMs = usualMs * (0.75 + random / 2);
  return hasFindings ? Math.min(spreadMs, CONFIRM_MS) : spreadMs;
}
