import { findCondition } from '@smalt/controller-runtime';
import { isInFlight, type RememberedInstance } from '@smalt/eviction-plan';
import { EvictionConditionType, type Eviction } from '@smalt/fleet-api';

import { RETRY_ANNOTATION } from './finalizer.ts';

/** Whether somebody wants those tried again that were given up: by the annotation, or by another reason. */
export function isRetryAsked({ metadata, status }: Eviction): boolean {
  if (metadata.annotations?.[RETRY_ANNOTATION] !== undefined) return true;
  const judgedAt = findCondition(status?.conditions, EvictionConditionType.evicting)?.observedGeneration;
  // Of the spec only the reason can change.
  return judgedAt !== undefined && metadata.generation !== undefined && judgedAt !== metadata.generation;
}

/** What stays in memory then: moves that are under way, and nothing of those that failed. */
export function forgetFailures(remembered: readonly RememberedInstance[]): readonly RememberedInstance[] {
  return remembered.filter(isInFlight);
}
