import type { HostIdentity } from '@smalt/compute';
import { findCondition } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType, MaintenanceMode, type Hypervisor } from '@smalt/fleet-api';

import { hostIdentity } from '../hosts/host-identity.ts';

const CUSTOM = 'CUSTOM_';
const TRAIT_NAME = /^[A-Z0-9_]{1,255}$/v;

/** Why nothing is done about the traits of a host now, or which ones it shall have. */
export type WantedTraits =
  | { readonly kind: 'wait' }
  | {
      readonly kind: 'apply';
      readonly host: HostIdentity;
      /** Traits that it shall have, each once, sorted. */
      readonly names: readonly string[];
      /** Entries of the spec that cannot be traits. */
      readonly badNames: readonly string[];
    };

/** Decides by where a host is in its life: traits come after the tests, and before tenants are admitted. */
export function decideTraits(hypervisor: Hypervisor): WantedTraits {
  const { spec, status } = hypervisor;
  const host = hostIdentity(hypervisor);
  if (spec?.lifecycleEnabled !== true || host === undefined) return { kind: 'wait' };
  if (spec.maintenance === MaintenanceMode.termination) return { kind: 'wait' };
  const onboarding = findCondition(status?.conditions, HypervisorConditionType.onboarding);
  if (onboarding === undefined) return { kind: 'wait' };
  const isEarly = onboarding.reason !== HypervisorConditionReason.Onboarding.handover;
  if (onboarding.status === 'True' && isEarly) return { kind: 'wait' };
  const names = [...new Set(spec.customTraits)].toSorted();
  return {
    kind: 'apply',
    host,
    names: names.filter(isTraitName),
    badNames: names.filter((name) => !isTraitName(name)),
  };
}

function isTraitName(name: string): boolean {
  return TRAIT_NAME.test(name) && name !== CUSTOM;
}

export interface TraitsWish {
  /** Traits that the host shall have. */
  readonly names: readonly string[];
  /** Traits that it had by our last account. */
  readonly applied: readonly string[];
  readonly keepForeign: boolean;
}

/** The traits that a host gets. */
export interface TraitsPlan {
  /** All that it shall have then, sorted. */
  readonly target: readonly string[];
  readonly isChange: boolean;
  /** Of those, the ones that the status tells. */
  readonly account: readonly string[];
}

/**
 * Compares what is wished for with what there is, whatever the order of either. Only custom traits are ever taken away:
 * all others may be those that the compute agent reports.
 */
export function planTraits(wish: TraitsWish, current: readonly string[]): TraitsPlan {
  const { names } = wish;
  const kept = current.filter((trait) => !isCustom(trait) || names.includes(trait) || !isOurs(wish, trait));
  const target = [...new Set([...kept, ...names])].toSorted();
  const isChange = kept.length !== current.length || target.length !== kept.length;
  return { target, account: accountOf(wish, target), isChange };
}

/** Of the traits of a host, those that we give an account of: custom ones that are none of our business are left out. */
export function accountOf(wish: TraitsWish, traits: readonly string[]): readonly string[] {
  return traits.filter((trait) => !isCustom(trait) || isOurs(wish, trait)).toSorted();
}

export function isCustom(trait: string): boolean {
  return trait.startsWith(CUSTOM);
}

function isOurs({ names, applied, keepForeign }: TraitsWish, trait: string): boolean {
  return !keepForeign || names.includes(trait) || applied.includes(trait);
}
