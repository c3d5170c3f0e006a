import { element } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';

/** Devices by which the guest says that it has crashed. */
export const panicStep: DomainStep = deviceStep('panic', ({ instance }) =>
  (instance.spec.domain.devices.panicDevices ?? []).map(({ model }) => element('panic', { model })),
);
