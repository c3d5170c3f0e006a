import type { Hypervisor } from '@smalt/fleet-api';

import type { Tone } from '../../parts/status-badge.tsx';

/** Where a host is in its life, in words and in what to make of it. */
export interface HostState {
  readonly words: string;
  readonly tone: Tone;
}

type LifecycleState = NonNullable<NonNullable<Hypervisor['status']>['lifecycleState']>;

const STATES: Readonly<Record<LifecycleState, HostState>> = {
  Initial: { words: 'New', tone: 'busy' },
  Onboarding: { words: 'Being taken into use', tone: 'busy' },
  Testing: { words: 'Being tested', tone: 'busy' },
  Aborted: { words: 'Onboarding given up', tone: 'bad' },
  Ready: { words: 'Not in use', tone: 'warning' },
  Active: { words: 'In use', tone: 'good' },
  Maintenance: { words: 'In maintenance', tone: 'warning' },
  Evicting: { words: 'Being emptied', tone: 'busy' },
  Decommissioned: { words: 'Taken out of use', tone: 'quiet' },
};

/** The words are those of the filter, too. */
export function hostState(host: Hypervisor): HostState {
  const { lifecycleState } = host.status ?? {};
  if (lifecycleState !== undefined) return STATES[lifecycleState];
  // Without an operator nobody says where a host is in its life; what its agent says counts then.
  const connection = conditionOf(host, 'LibVirtConnection')?.status;
  if (connection === 'True') return { words: 'Reports', tone: 'good' };
  return connection === 'False' ? { words: 'libvirt does not answer', tone: 'bad' } : { words: 'New', tone: 'busy' };
}

/** Why it cannot be used, and what to do; undefined when it can, or nobody has said. */
export function whyNotReady(host: Hypervisor): string | undefined {
  const ready = conditionOf(host, 'Ready');
  return ready === undefined || ready.status === 'True' ? undefined : ready.message || ready.reason;
}

function conditionOf({ status }: Hypervisor, type: string): HostCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

type HostCondition = NonNullable<NonNullable<Hypervisor['status']>['conditions']>[number];
