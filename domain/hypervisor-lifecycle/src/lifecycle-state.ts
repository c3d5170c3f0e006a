/** Where a hypervisor is in its life, in one word. It follows from `spec.maintenance` and the conditions. */
export const LifecycleState = {
  initial: 'Initial',
  onboarding: 'Onboarding',
  testing: 'Testing',
  aborted: 'Aborted',
  ready: 'Ready',
  active: 'Active',
  maintenance: 'Maintenance',
  evicting: 'Evicting',
  decommissioned: 'Decommissioned',
} as const;
export type LifecycleState = (typeof LifecycleState)[keyof typeof LifecycleState];

/** What each state means, for people. */
export const lifecycleStateMeanings: Readonly<Record<LifecycleState, string>> = {
  Initial:
    'It is known, and nothing has been done to it yet: its compute service is awaited, or `lifecycleEnabled` is off.',
  Onboarding: 'It is registered, and is being put into the aggregates for tests.',
  Testing: 'A test instance shows whether it can run one.',
  Aborted: 'Onboarding was given up. It takes no instances.',
  Ready:
    'The tests are passed, and it is not in use yet, or cannot be now: traits, aggregates, high availability or the compute service are awaited, or libvirt or the network is unhealthy.',
  Active: 'It takes instances.',
  Maintenance:
    'It takes no instances, and none is being moved away: all have left, or some could not, or the high availability service has it.',
  Evicting: 'It takes no instances, and those it has are being moved away.',
  Decommissioned: 'It is no longer part of the compute system, for good. Its node can go.',
};
