import { LifecycleState } from './lifecycle-state.ts';

/** One way from a state to the next. */
export interface LifecycleTransition {
  readonly from: LifecycleState;
  readonly to: LifecycleState;
  /** What makes it happen, in a few words. */
  readonly because: string;
}

const { initial, onboarding, testing, aborted, ready, active, maintenance, evicting, decommissioned } = LifecycleState;

/** The ways that a hypervisor goes when all is in order, and those that a person should know. */
export const usualTransitions: readonly LifecycleTransition[] = [
  { from: initial, to: onboarding, because: 'its compute service is registered' },
  { from: initial, to: maintenance, because: 'maintenance is set' },
  { from: onboarding, to: testing, because: 'it is in the test aggregates' },
  { from: onboarding, to: aborted, because: 'onboarding is given up' },
  { from: testing, to: ready, because: 'the tests are passed or skipped' },
  { from: testing, to: aborted, because: 'onboarding is given up' },
  { from: ready, to: active, because: 'it is enabled and healthy' },
  { from: ready, to: aborted, because: 'onboarding is given up' },
  { from: ready, to: maintenance, because: 'maintenance is set' },
  { from: active, to: ready, because: 'it is disabled or unhealthy' },
  { from: active, to: maintenance, because: 'maintenance is set' },
  { from: maintenance, to: evicting, because: 'it is disabled, and instances have to leave' },
  { from: evicting, to: maintenance, because: 'the eviction is done or has failed' },
  { from: evicting, to: active, because: 'maintenance or the Eviction is taken back' },
  { from: active, to: evicting, because: 'somebody makes an Eviction' },
  { from: maintenance, to: active, because: 'maintenance is cleared, and it is enabled' },
  { from: maintenance, to: decommissioned, because: 'it is evicted, terminated and offboarded' },
  { from: aborted, to: onboarding, because: 'onboarding begins again' },
];

/** The ways that are taken when somebody changes their mind, or two things happen at about the same time. */
export const otherTransitions: readonly LifecycleTransition[] = [
  { from: onboarding, to: maintenance, because: 'onboarding is given up while maintenance is set' },
  { from: onboarding, to: evicting, because: 'onboarding is given up while an eviction is there' },
  { from: testing, to: maintenance, because: 'onboarding is given up while maintenance is set' },
  { from: testing, to: evicting, because: 'onboarding is given up while an eviction is there' },
  { from: maintenance, to: initial, because: 'maintenance is cleared before it was ever onboarded' },
  { from: maintenance, to: onboarding, because: 'onboarding begins though maintenance is set' },
  { from: maintenance, to: aborted, because: 'maintenance is cleared, onboarding is still given up' },
  { from: maintenance, to: ready, because: 'maintenance is cleared, and it is not enabled yet, or unhealthy' },
  { from: evicting, to: initial, because: 'maintenance is cleared before it was ever onboarded' },
  { from: evicting, to: onboarding, because: 'onboarding begins though maintenance is set' },
  { from: evicting, to: aborted, because: 'maintenance is cleared, onboarding is still given up' },
  { from: evicting, to: ready, because: 'maintenance is cleared, and it is not enabled yet, or unhealthy' },
  { from: initial, to: evicting, because: 'an eviction of it is there, or somebody makes one' },
  { from: ready, to: evicting, because: 'an eviction of it is there, or somebody makes one' },
  { from: aborted, to: evicting, because: 'an eviction of it is there, or somebody makes one' },
  { from: aborted, to: maintenance, because: 'maintenance is set' },
  { from: aborted, to: initial, because: 'the condition Onboarding is removed' },
  { from: decommissioned, to: maintenance, because: 'it is taken out of termination' },
];

/** Every way there is from one state to the next. */
export const lifecycleTransitions: readonly LifecycleTransition[] = [...usualTransitions, ...otherTransitions];
