import type { Condition } from '@smalt/kubernetes';

import { presentLabels } from './present-labels.ts';
import type { ScrapedValue } from './scraped-family.ts';

/** One value for each condition: 1 if it is True, 0 if not. What it is else, and why, is in its labels. */
export function conditionValues(conditions: readonly Condition[] = []): readonly ScrapedValue[] {
  return conditions.map(({ type, status, reason }) => ({
    labels: presentLabels({ condition: type, status, reason }),
    value: status === 'True' ? 1 : 0,
  }));
}
