import { element } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';

/** A sound card, when asked for. */
export const soundStep: DomainStep = deviceStep('sound', ({ instance }) => {
  const { sound } = instance.spec.domain.devices;
  return sound ? [element('sound', { model: sound.model ?? 'ich9' })] : [];
});
