import { element } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';
import { DomainXmlError } from '../domain-xml-error.ts';

const SLOTS = 4;

/** Slots for USB devices of whoever sits at the console. */
export const usbRedirectionStep: DomainStep = deviceStep('usb-redirection', ({ instance, context: { paths } }) => {
  if (!instance.spec.domain.devices.clientPassthrough) return [];
  const directory = paths.usbRedirection;
  if (directory === undefined) {
    throw new DomainXmlError('missing-device', 'there is no directory for its sockets on the node', {
      field: 'spec.domain.devices.clientPassthrough',
    });
  }
  return Array.from({ length: SLOTS }, (_, slot) =>
    element('redirdev', { bus: 'usb', type: 'unix' }, [
      element('source', { mode: 'bind', path: `${directory}/usbredir${slot}` }),
    ]),
  );
});
