import { element } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';
import { architectureOf } from '../shape/architecture.ts';

/** The device that acts when the guest hangs, when asked for. */
export const watchdogStep: DomainStep = deviceStep('watchdog', ({ instance }) => {
  const { watchdog } = instance.spec.domain.devices;
  if (!watchdog) return [];
  const isMainframe = architectureOf(instance).name === 's390x';
  const action = (isMainframe ? watchdog.diag288?.action : watchdog.i6300esb?.action) ?? 'reset';
  return [element('watchdog', { model: isMainframe ? 'diag288' : 'i6300esb', action })];
});
