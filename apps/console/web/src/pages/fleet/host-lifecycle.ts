import type { LifecycleEdge, LifecycleState } from '../../parts/lifecycle-layout.ts';

/** The states a host goes through, as docs/concepts/hypervisor-lifecycle.md tells them. */
export const HOST_STATES: readonly LifecycleState[] = [
  { name: 'Initial', label: 'New', column: 0, row: 0 },
  { name: 'Onboarding', label: 'Onboarding', column: 1, row: 0 },
  { name: 'Testing', label: 'Testing', column: 2, row: 0 },
  { name: 'Ready', label: 'Ready', column: 3, row: 0 },
  { name: 'Active', label: 'In use', column: 4, row: 0 },
  { name: 'Aborted', label: 'Given up', column: 2, row: 1 },
  { name: 'Evicting', label: 'Being emptied', column: 4, row: 1 },
  { name: 'Maintenance', label: 'Maintenance', column: 3, row: 1 },
  { name: 'Decommissioned', label: 'Out of use', column: 3, row: 2 },
];

/** The ways it goes as a rule. */
export const HOST_STATE_CHANGES: readonly LifecycleEdge[] = [
  { from: 'Initial', to: 'Onboarding' },
  { from: 'Onboarding', to: 'Testing' },
  { from: 'Testing', to: 'Ready' },
  { from: 'Testing', to: 'Aborted' },
  { from: 'Ready', to: 'Active' },
  { from: 'Active', to: 'Ready' },
  { from: 'Active', to: 'Evicting' },
  { from: 'Evicting', to: 'Active' },
  { from: 'Evicting', to: 'Maintenance' },
  { from: 'Maintenance', to: 'Evicting' },
  { from: 'Ready', to: 'Maintenance' },
  { from: 'Maintenance', to: 'Ready' },
  { from: 'Maintenance', to: 'Decommissioned' },
  { from: 'Aborted', to: 'Onboarding' },
];
