import type { NodeEntry } from '../cluster/node-entry.ts';
import type { Amounts } from '../resources/amounts.ts';
import type { Score } from './score.ts';

/** What a pod that asks for nothing is taken to use, so that such pods are spread as well. */
const USUAL_USE = new Map([
  ['cpu', 100],
  ['memory', 200 * 1024 * 1024],
]);

/** Prefers nodes of which the least is taken. */
export function leastAllocatedScore(requests: Amounts): Score {
  return (entries) =>
    entries.map((entry) => {
      const shares = [...USUAL_USE.keys()].map((name) => 1 - shareOf(entry, name, requests));
      return (shares.reduce((sum, share) => sum + share, 0) * 100) / shares.length;
    });
}

/** Prefers nodes of which processors and memory are taken evenly. */
export function balancedScore(requests: Amounts): Score {
  return (entries) =>
    entries.map((entry) => 100 - Math.abs(shareOf(entry, 'cpu', requests) - shareOf(entry, 'memory', requests)) * 50);
}

function shareOf({ allocatable, used }: NodeEntry, name: string, requests: Amounts): number {
  const most = allocatable.get(name) ?? 0;
  if (most === 0) return 1;
  const asked = requests.get(name) ?? USUAL_USE.get(name) ?? 0;
  return Math.min(1, ((used.get(name) ?? 0) + asked) / most);
}
