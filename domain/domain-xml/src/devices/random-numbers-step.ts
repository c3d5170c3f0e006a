import { element } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';
import { virtioGuard, virtioModel } from '../shape/virtio-model.ts';

/** A source of random numbers, when asked for. */
export const randomNumbersStep: DomainStep = deviceStep('random-numbers', (input) => {
  if (!input.instance.spec.domain.devices.rng) return [];
  const { iommu } = virtioGuard(input);
  return [
    element('rng', { model: virtioModel(input) }, [
      iommu === undefined ? undefined : element('driver', { iommu }),
      element('backend', { model: 'random' }, ['/dev/urandom']),
    ]),
  ];
});
