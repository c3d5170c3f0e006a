import { element } from '@smalt/xml';

import { rootStep, type DomainStep } from '../domain-step.ts';

/** What becomes of the domain when the guest powers off, reboots or crashes. */
export const lifeCycleStep: DomainStep = rootStep('life-cycle', ({ instance }) => [
  element('on_poweroff', {}, ['destroy']),
  element('on_reboot', {}, [instance.spec.domain.rebootPolicy === 'Terminate' ? 'destroy' : 'restart']),
  element('on_crash', {}, ['destroy']),
]);
