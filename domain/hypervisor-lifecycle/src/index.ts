export { lifecycleDiagram } from './lifecycle-diagram.ts';
export { withLifecycle } from './lifecycle-document.ts';
export { lifecycleStateOf } from './lifecycle-state-of.ts';
export { LifecycleState, lifecycleStateMeanings } from './lifecycle-state.ts';
export {
  lifecycleTransitions,
  otherTransitions,
  usualTransitions,
  type LifecycleTransition,
} from './lifecycle-transitions.ts';
export { readinessOf } from './readiness-of.ts';
export type { Readiness, ReadinessFacts, ReadinessSettings } from './readiness.ts';
