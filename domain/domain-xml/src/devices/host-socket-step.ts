import { element } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';
import { DomainXmlError } from '../domain-xml-error.ts';
import { virtioModel } from '../shape/virtio-model.ts';

/** A socket between guest and host, when asked for. */
export const hostSocketStep: DomainStep = deviceStep('host-socket', (input) => {
  const { instance, context } = input;
  if (instance.spec.domain.devices.autoattachVSOCK !== true) return [];
  const address = context.vsockCid ?? instance.status?.VSOCKCID;
  if (address !== undefined) {
    return [element('vsock', { model: virtioModel(input) }, [element('cid', { auto: 'no', address })])];
  }
  throw new DomainXmlError('missing-device', 'it has no address for its socket to the host yet', {
    field: 'spec.domain.devices.autoattachVSOCK',
  });
});
