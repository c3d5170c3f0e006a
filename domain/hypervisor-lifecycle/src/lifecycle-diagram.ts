import type { LifecycleTransition } from './lifecycle-transitions.ts';

/** A state diagram of the transitions, in the language of Mermaid. */
export function lifecycleDiagram(transitions: readonly LifecycleTransition[]): string {
  return [
    'stateDiagram-v2',
    '  [*] --> Initial: a node appears',
    ...transitions.map(({ from, to, because }) => `  ${from} --> ${to}: ${because}`),
    '  Decommissioned --> [*]: its node goes',
  ].join('\n');
}
