import { element, type XmlElement } from '@smalt/xml';

import { rootStep, type DomainStep } from '../domain-step.ts';
import { topologyOf } from '../shape/processor-topology.ts';

/** How many processors the guest has, and which of them are plugged in. */
export const virtualProcessorsStep: DomainStep = rootStep('virtual-processors', ({ instance }) => {
  const { count, maxCount } = topologyOf(instance);
  const total = element('vcpu', { placement: 'static' }, [String(maxCount)]);
  return count === maxCount ? [total] : [total, element('vcpus', {}, pluggedProcessors(count, maxCount))];
});

function pluggedProcessors(count: number, maxCount: number): readonly XmlElement[] {
  return Array.from({ length: maxCount }, (_, id) =>
    element('vcpu', { id, enabled: id < count ? 'yes' : 'no', hotpluggable: id < count ? 'no' : 'yes' }),
  );
}
