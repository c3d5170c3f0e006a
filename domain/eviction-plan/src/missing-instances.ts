import type { EvictionView } from './eviction-plan.ts';

/**
 * The instances that were on the host at the last look, or are remembered, and are not listed any more. What became of
 * them must be looked up: a list alone may be cut short or old.
 */
export function missingInstances({
  remembered,
  outstanding,
  instances,
}: Pick<EvictionView, 'remembered' | 'outstanding' | 'instances'>): readonly string[] {
  const present = new Set(instances.map(({ id }) => id));
  const known = new Set([...remembered.map(({ id }) => id), ...outstanding]);
  return [...known].filter((id) => !present.has(id));
}
