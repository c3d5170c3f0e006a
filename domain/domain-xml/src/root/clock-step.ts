import type { Clock, Timer } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import { rootStep, type DomainStep } from '../domain-step.ts';

/** What time it is in the guest, and by which timers it knows. */
export const clockStep: DomainStep = rootStep('clock', ({ instance }) => {
  const { clock } = instance.spec.domain;
  return [element('clock', offset(clock), clock?.timer ? timers(clock.timer) : [])];
});

function offset(clock: Clock | undefined): Readonly<Record<string, string | number>> {
  if (clock?.timezone !== undefined) return { offset: 'timezone', timezone: clock.timezone };
  const seconds = clock?.utc?.offsetSeconds ?? 0;
  return seconds === 0 ? { offset: 'utc' } : { offset: 'variable', adjustment: seconds, basis: 'utc' };
}

function timers({ rtc, pit, hpet, kvm, hyperv }: Timer): readonly (XmlElement | undefined)[] {
  return [
    rtc && element('timer', { name: 'rtc', tickpolicy: rtc.tickPolicy, track: rtc.track, present: present(rtc) }),
    pit && element('timer', { name: 'pit', tickpolicy: pit.tickPolicy, present: present(pit) }),
    hpet && element('timer', { name: 'hpet', tickpolicy: hpet.tickPolicy, present: present(hpet) }),
    kvm && element('timer', { name: 'kvmclock', present: present(kvm) }),
    hyperv && element('timer', { name: 'hypervclock', present: present(hyperv) }),
  ];
}

function present(timer: { readonly present?: boolean }): 'yes' | 'no' {
  return timer.present === false ? 'no' : 'yes';
}
