import type { VirtualMachineInstance } from '@smalt/vm-api';
import { element } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';
import { virtioGuard, virtioModel } from '../shape/virtio-model.ts';

const STATISTICS_PERIOD_SECONDS = 10;

/** The balloon by which the guest tells how it uses its memory, unless it wants none or there is none. */
export const balloonStep: DomainStep = deviceStep('balloon', (input) => {
  const { instance, style } = input;
  const isWanted = instance.spec.domain.devices.autoattachMemBalloon !== false;
  // libvirt would add one by itself.
  if (!isWanted || !style.supportsMemoryBallooning) return [element('memballoon', { model: 'none' })];
  const { iommu } = virtioGuard(input);
  const freePageReporting = keepsItsMemory(instance) ? undefined : 'on';
  return [
    element('memballoon', { model: virtioModel(input), freePageReporting }, [
      element('stats', { period: STATISTICS_PERIOD_SECONDS }),
      iommu === undefined ? undefined : element('driver', { iommu }),
    ]),
  ];
});

/** Memory that was set aside for this guest alone is not handed back and forth. */
function keepsItsMemory({ spec: { domain } }: VirtualMachineInstance): boolean {
  const isDedicated = domain.cpu?.dedicatedCpuPlacement === true || domain.cpu?.realtime !== undefined;
  return isDedicated || domain.memory?.hugepages !== undefined || domain.launchSecurity !== undefined;
}
