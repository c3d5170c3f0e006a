import type { Amounts } from '../resources/amounts.ts';
import type { Constraint } from './constraint.ts';

/** Keeps a pod off nodes that have too little left of what it asks for; all that is missing is named. */
export function resourceConstraint(requests: Amounts): Constraint {
  const needed = [...requests].filter(([, amount]) => amount > 0);
  return ({ allocatable, used }) =>
    needed
      .filter(([name, amount]) => amount > (allocatable.get(name) ?? 0) - (used.get(name) ?? 0))
      .map(([name]) => (name === 'pods' ? 'Too many pods' : `Insufficient ${name}`));
}
