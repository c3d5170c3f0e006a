import type { LabelSelector } from '@smalt/kubernetes';

/** Objects whose label has this value. */
export function labelled(key: string, value: string): LabelSelector {
  return { requirements: [{ key, operator: 'in', values: [value] }] };
}
