import { rootStep, topologyOf, type DomainStep } from '@smalt/domain-xml';
import { element } from '@smalt/xml';

/** The processors of the guest: as many as run, for none can be plugged in, and as the host has them. */
export const fixedProcessorsStep: DomainStep = rootStep('fixed-processors', ({ instance }) => [
  element('vcpu', { placement: 'static' }, [String(topologyOf(instance).count)]),
]);
