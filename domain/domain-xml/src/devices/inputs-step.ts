import { element, type XmlElement } from '@smalt/xml';

import { aliasElement } from '../device-alias.ts';
import { deviceStep, type DomainInput, type DomainStep } from '../domain-step.ts';
import { architectureOf } from '../shape/architecture.ts';
import { hasGraphics } from '../shape/has-graphics.ts';

/** Input devices that were asked for, and those without which a display is of no use. */
export const inputsStep: DomainStep = deviceStep('inputs', (input) => {
  const { inputs = [] } = input.instance.spec.domain.devices;
  // Tablets have no older and newer virtio, unlike other devices.
  const asked = inputs.map(({ name, type, bus = 'usb' }) =>
    element('input', { type, bus }, [aliasElement('input', name)]),
  );
  return [...asked, ...usualInputs(input)];
});

/** A PC has a PS/2 keyboard and mouse; other machines have nothing. */
function usualInputs({ instance }: DomainInput): readonly XmlElement[] {
  if (!hasGraphics(instance)) return [];
  switch (architectureOf(instance).name) {
    case 'amd64':
      return [];
    case 'arm64':
      return ['tablet', 'keyboard'].map((type) => element('input', { type, bus: 'usb' }));
    case 's390x':
      return [element('input', { type: 'keyboard', bus: 'virtio' })];
  }
}
