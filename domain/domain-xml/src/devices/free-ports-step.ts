import { attribute, child, element, type XmlElement } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';
import { architectureOf } from '../shape/architecture.ts';
import { guestMemoryOf } from '../shape/guest-memory.ts';

const SMALL_GUEST_BYTES = 2_147_483_648n;

/**
 * PCI Express ports for devices that are plugged in later: libvirt makes none by itself. A large guest gets more.
 * It comes last, for it counts the devices before it.
 */
export const freePortsStep: DomainStep = deviceStep('free-ports', ({ instance }, devices) => {
  const isExpress = architectureOf(instance).name !== 's390x';
  if (!isExpress || instance.spec.domain.devices.disableHotplug === true) return [];
  const isSmall = guestMemoryOf(instance).guestBytes <= SMALL_GUEST_BYTES;
  const used = devices.filter(takesPort).length;
  const total = isSmall ? Math.max(8, used + 3) : Math.max(16, used + 6);
  return [
    // libvirt numbers controllers in the order of the XML, and the root has to be the first.
    element('controller', { type: 'pci', index: 0, model: 'pcie-root' }),
    ...Array.from({ length: total }, (_, port) =>
      element('controller', { type: 'pci', index: port + 1, model: 'pcie-root-port' }),
    ),
  ];
});

/** Whether a device sits in a port of its own. Those of an old kind share a bridge, which is counted for each. */
function takesPort(device: XmlElement): boolean {
  const target = child(device, 'target');
  switch (device.name) {
    case 'disk':
      return target !== undefined && attribute(target, 'bus') === 'virtio';
    case 'controller':
    case 'memballoon':
      return attribute(device, 'model') !== 'none';
    case 'input':
      return attribute(device, 'bus') === 'virtio';
    case 'hostdev':
      return attribute(device, 'type') !== 'usb';
    case 'interface':
    case 'rng':
    case 'vsock':
    case 'filesystem':
    case 'watchdog':
    case 'sound':
      return true;
    default:
      return false;
  }
}
