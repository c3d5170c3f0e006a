export { checkPreflight, type PreflightInput, type PreflightProblem, type PreflightReport } from './check-preflight.ts';
export { hostLimit, type EvictionLimits } from './eviction-limits.ts';
export type {
  EvictionCounts,
  EvictionHappening,
  EvictionPlan,
  EvictionStep,
  EvictionView,
  MoveAnswer,
  OtherMoves,
} from './eviction-plan.ts';
export { movability, type Movability } from './movability.ts';
export { missingInstances } from './missing-instances.ts';
export { planCancellation, type CancellationPlan } from './plan-cancellation.ts';
export { planMoves } from './plan-moves.ts';
export { isGivenUp, isInFlight, RememberedState, type RememberedInstance } from './remembered-instance.ts';
