import type { Timer, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { changeDomain } from './change-domain.ts';

/** A timer that is mentioned is there, unless it says otherwise. */
export function defaultTimers(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { clock } = spec.domain;
  if (clock?.timer === undefined) return spec;
  return changeDomain(spec, { clock: { ...clock, timer: present(clock.timer) } });
}

function present(timer: Timer): Timer {
  const { hpet, hyperv, kvm, pit, rtc } = timer;
  return {
    ...timer,
    ...(hpet === undefined ? {} : { hpet: { present: true, ...hpet } }),
    ...(hyperv === undefined ? {} : { hyperv: { present: true, ...hyperv } }),
    ...(kvm === undefined ? {} : { kvm: { present: true, ...kvm } }),
    ...(pit === undefined ? {} : { pit: { present: true, ...pit } }),
    ...(rtc === undefined ? {} : { rtc: { present: true, ...rtc } }),
  };
}
