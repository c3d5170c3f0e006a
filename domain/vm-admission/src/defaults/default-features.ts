import type {
  FeatureHyperv,
  FeatureSpinlocks,
  Features,
  FeatureState,
  SyNICTimer,
  TLBFlush,
  VirtualMachineInstanceSpec,
} from '@smalt/vm-api';

import { changeDomain } from './change-domain.ts';

const SPINLOCK_RETRIES = 4096;

/** A feature that is mentioned is on, unless it says otherwise; ACPI is on without being mentioned. */
export function defaultFeatures(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const features: Features = spec.domain.features ?? {};
  const { apic, hyperv, smm, pvspinlock } = features;
  return changeDomain(spec, {
    features: {
      ...features,
      acpi: enabled(features.acpi ?? {}),
      ...(apic === undefined ? {} : { apic: enabled(apic) }),
      ...(smm === undefined ? {} : { smm: enabled(smm) }),
      ...(pvspinlock === undefined ? {} : { pvspinlock: enabled(pvspinlock) }),
      ...(hyperv === undefined ? {} : { hyperv: defaultHyperv(hyperv) }),
    },
  });
}

const PLAIN_STATES = [
  'evmcs',
  'frequencies',
  'ipi',
  'reenlightenment',
  'relaxed',
  'reset',
  'runtime',
  'synic',
  'vapic',
  'vpindex',
] as const satisfies readonly (keyof FeatureHyperv)[];

function defaultHyperv(hyperv: FeatureHyperv): FeatureHyperv {
  const states = PLAIN_STATES.flatMap((name) => {
    const state = hyperv[name];
    return state === undefined ? [] : [[name, enabled(state)] as const];
  });
  const { spinlocks, synictimer, tlbflush, vendorid } = hyperv;
  return {
    ...hyperv,
    ...Object.fromEntries(states),
    ...(spinlocks === undefined ? {} : { spinlocks: defaultSpinlocks(spinlocks) }),
    ...(synictimer === undefined ? {} : { synictimer: defaultTimer(synictimer) }),
    ...(tlbflush === undefined ? {} : { tlbflush: defaultFlush(tlbflush) }),
    ...(vendorid === undefined ? {} : { vendorid: enabled(vendorid) }),
  };
}

function defaultSpinlocks(spinlocks: FeatureSpinlocks): FeatureSpinlocks {
  const state = enabled(spinlocks);
  return state.enabled === true ? { spinlocks: SPINLOCK_RETRIES, ...state } : state;
}

function defaultTimer(timer: SyNICTimer): SyNICTimer {
  const { direct } = timer;
  return { ...enabled(timer), ...(direct === undefined ? {} : { direct: enabled(direct) }) };
}

function defaultFlush(flush: TLBFlush): TLBFlush {
  const { direct, extended } = flush;
  return {
    ...enabled(flush),
    ...(direct === undefined ? {} : { direct: enabled(direct) }),
    ...(extended === undefined ? {} : { extended: enabled(extended) }),
  };
}

function enabled<State extends FeatureState>(state: State): State {
  return state.enabled === undefined ? { ...state, enabled: true } : state;
}
