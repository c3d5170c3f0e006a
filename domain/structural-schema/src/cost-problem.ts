/** Says by how much an estimated cost is beyond what it may be. */
export function costProblem(name: string, cost: number, limit: number): string {
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${name} exceeds budget by factor of ${shownFactor(cost / limit)} (${advice})`;
}

function shownFactor(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
}
