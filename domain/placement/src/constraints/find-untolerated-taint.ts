import type { Toleration } from '@smalt/vm-api';

import type { Taint } from '../node.ts';

/** The first taint of one of these effects that no toleration covers. */
export function findUntoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly string[],
): Taint | undefined {
  return (taints ?? []).find(
    (taint) => effects.includes(taint.effect) && !(tolerations ?? []).some((each) => tolerates(each, taint)),
  );
}

/** Whether a toleration covers a taint. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = '', operator = 'Equal', effect = '', value = '' } = toleration;
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return key !== '' && value === (taint.value ?? '');
}
