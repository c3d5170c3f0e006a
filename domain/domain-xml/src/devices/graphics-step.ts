import type { VirtualMachineInstance } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';
import { firmwareKindOf } from '../root/firmware-step.ts';
import { architectureOf } from '../shape/architecture.ts';
import { hasGraphics } from '../shape/has-graphics.ts';

const VGA_MEMORY_KIB = 16_384;

/** A VNC display and the graphics card behind it. */
export const graphicsStep: DomainStep = deviceStep('graphics', ({ instance, context: { paths } }) => {
  if (!hasGraphics(instance)) return [];
  // Without a socket nobody listens; the display is opened through libvirt then.
  const listen =
    paths.vnc === undefined
      ? element('listen', { type: 'none' })
      : element('listen', { type: 'socket', socket: paths.vnc });
  return [element('graphics', { type: 'vnc' }, [listen]), element('video', {}, [videoModel(instance)])];
});

function videoModel(instance: VirtualMachineInstance): XmlElement {
  const asked = instance.spec.domain.devices.video?.type;
  const type = asked ?? usualVideo(instance);
  const hasMemory = type === 'vga' || type === 'bochs' || type === 'cirrus';
  const heads = type === 'none' || type === 'ramfb' ? undefined : 1;
  return element('model', { type, vram: hasMemory ? VGA_MEMORY_KIB : undefined, heads });
}

function usualVideo(instance: VirtualMachineInstance): string {
  if (architectureOf(instance).name !== 'amd64') return 'virtio';
  // UEFI draws without the old ways of VGA.
  return firmwareKindOf(instance) === undefined ? 'vga' : 'bochs';
}
