import {
  EvictionConditionReason,
  EvictionConditionType,
  HypervisorConditionType,
  type Eviction,
  type Hypervisor,
} from '@smalt/fleet-api';

/** What a host is to become. */
export type DrainGoal = 'evicted' | 'in-maintenance' | 'in-use';

export type DrainOutcome =
  | { readonly kind: 'waiting'; readonly text: string }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string };

interface DrainFacts {
  readonly hypervisor: Hypervisor | undefined;
  readonly eviction: Eviction | undefined;
}

const IN_USE: readonly string[] = ['Active', 'Ready', 'Initial'];

/** Decides whether a host is where it is to be. */
export function decideDrain(goal: DrainGoal, facts: DrainFacts): DrainOutcome {
  switch (goal) {
    case 'evicted':
      return ofEviction(facts.eviction);
    case 'in-maintenance':
      return ofMaintenance(facts);
    case 'in-use':
      return ofUse(facts.hypervisor);
  }
}

function ofEviction(eviction: Eviction | undefined): DrainOutcome {
  const condition = eviction?.status?.conditions?.find(({ type }) => type === EvictionConditionType.evicting);
  const { succeeded, failed } = EvictionConditionReason.Evicting;
  if (condition?.status === 'False' && condition.reason === succeeded) return { kind: 'done', text: 'is empty' };
  if (condition?.status === 'False' && condition.reason === failed) {
    return { kind: 'failed', text: `could not be emptied: ${condition.message}` };
  }
  return { kind: 'waiting', text: condition?.message ?? 'the operator has not begun' };
}

function ofMaintenance({ hypervisor, eviction }: DrainFacts): DrainOutcome {
  if (hypervisor?.status?.evicted === true)
    return { kind: 'done', text: 'is empty, and stays so until maintenance is off' };
  const moving = ofEviction(eviction);
  if (moving.kind === 'failed') return moving;
  const disabled = conditionOf(hypervisor, HypervisorConditionType.hypervisorDisabled);
  if (disabled?.status === 'False') return { kind: 'waiting', text: disabled.message };
  return { kind: 'waiting', text: moving.text };
}

function ofUse(hypervisor: Hypervisor | undefined): DrainOutcome {
  const state = hypervisor?.status?.lifecycleState ?? '';
  const ready = conditionOf(hypervisor, HypervisorConditionType.ready);
  if (state === 'Active') return { kind: 'done', text: 'takes machines again' };
  const why = ready?.message ?? 'the operator has not looked yet';
  return { kind: 'waiting', text: IN_USE.includes(state) ? why : `${state === '' ? 'unknown' : state}: ${why}` };
}

function conditionOf(
  hypervisor: Hypervisor | undefined,
  wanted: string,
): { readonly status: string; readonly message: string } | undefined {
  return hypervisor?.status?.conditions?.find(({ type }) => type === wanted);
}
