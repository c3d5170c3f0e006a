import type { Taint } from '../nodes/cluster-node.ts';

/** What a pod puts up with; what is left out stands for anything. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** Whether a toleration covers a taint, by the rules of Kubernetes. For how long is another question. */
export function toleratesTaint(
  { key = '', operator = '', value = '', effect = '' }: Toleration,
  taint: Pick<Taint, 'key' | 'value' | 'effect'>,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  switch (operator) {
    case 'Exists':
      return true;
    case '':
    case 'Equal':
      // The API refuses an empty key here; compared with a real one it matches nothing.
      return key !== '' && value === (taint.value ?? '');
    default:
      return false;
  }
}
