import type { GPU } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import { aliasElement } from '../device-alias.ts';
import type { DomainHostDevice } from '../domain-context.ts';
import { deviceStep, type DomainInput, type DomainStep } from '../domain-step.ts';
import { DomainXmlError } from '../domain-xml-error.ts';
import { hasGraphics } from '../shape/has-graphics.ts';
import { hostPciAddress } from '../shape/pci-address.ts';

/** GPUs and other devices of the host that the guest has to itself. */
export const hostDevicesStep: DomainStep = deviceStep('host-devices', (input) => {
  const { gpus = [], hostDevices = [] } = input.instance.spec.domain.devices;
  // One display is all that a domain can have.
  const shown = gpus.find((gpu) => isShown(gpu, input));
  return [
    ...gpus.map((gpu, index) => {
      const field = `spec.domain.devices.gpus[${index}]`;
      const display = gpu === shown ? displayOf(gpu) : {};
      return hostDevice(requireDevice(input, gpu.name, field), {
        field,
        display,
        alias: aliasElement('gpu', gpu.name),
      });
    }),
    ...hostDevices.map(({ name }, index) => {
      const field = `spec.domain.devices.hostDevices[${index}]`;
      return hostDevice(requireDevice(input, name, field), {
        field,
        display: {},
        alias: aliasElement('hostdevice', name),
      });
    }),
  ];
});

type Display = Readonly<Record<string, 'on' | 'off'>>;

function isShown({ name, virtualGPUOptions }: GPU, { instance, context }: DomainInput): boolean {
  const isMediated = context.hostDevices.some((device) => device.name === name && device.kind === 'mediated');
  return isMediated && hasGraphics(instance) && virtualGPUOptions?.display?.enabled !== false;
}

function displayOf({ virtualGPUOptions }: GPU): Display {
  return { display: 'on', ramfb: virtualGPUOptions?.display?.ramFB?.enabled === false ? 'off' : 'on' };
}

function requireDevice({ context }: DomainInput, name: string, field: string): DomainHostDevice {
  const device = context.hostDevices.find((candidate) => candidate.name === name);
  if (device) return device;
  throw new DomainXmlError('missing-device', `the node gave it no device for "${name}"; is the resource there?`, {
    field,
  });
}

interface DeviceParts {
  readonly field: string;
  readonly display: Display;
  readonly alias: XmlElement;
}

function hostDevice(device: DomainHostDevice, { field, display, alias }: DeviceParts): XmlElement {
  switch (device.kind) {
    case 'pci':
      return element('hostdev', { mode: 'subsystem', type: 'pci', managed: 'no' }, [
        element('source', {}, [hostPciAddress(device.address, field)]),
        alias,
      ]);
    case 'mediated':
      return element('hostdev', { mode: 'subsystem', type: 'mdev', managed: 'no', model: 'vfio-pci', ...display }, [
        element('source', {}, [element('address', { uuid: device.uuid })]),
        alias,
      ]);
    case 'usb':
      return element('hostdev', { mode: 'subsystem', type: 'usb', managed: 'no' }, [
        element('source', {}, [element('address', { bus: device.bus, device: device.device })]),
        alias,
      ]);
  }
}
