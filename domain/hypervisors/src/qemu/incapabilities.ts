import { incapabilitiesOf, isOneOf, type Incapability } from '../capability/incapability.ts';

const OTHERWISE = 'leave it out, or use the hypervisor qemu-kvm';

/** What needs the kernel's help: processors of the host, and what KVM offers to guests. */
export const qemuIncapabilities: readonly Incapability[] = [
  {
    field: 'domain.cpu.model',
    when: isOneOf('host-passthrough'),
    reason: "emulates processors and cannot hand the host's through",
    instead: 'use host-model or a model by name, or the hypervisor qemu-kvm',
  },
  ...incapabilitiesOf(
    [
      'domain.features.hyperv',
      'domain.features.hypervPassthrough',
      'domain.features.kvm.hidden',
      'domain.features.pvspinlock',
      'domain.features.apic.endOfInterrupt',
    ],
    { reason: 'has no such feature without KVM', instead: OTHERWISE },
  ),
  ...['domain.clock.timer.kvm', 'domain.clock.timer.hyperv'].map((field) => ({
    field,
    when: isPresent,
    reason: 'has no such clock without KVM',
    instead: OTHERWISE,
  })),
  ...incapabilitiesOf(['domain.launchSecurity'], {
    reason: 'cannot encrypt the memory of a guest',
    instead: OTHERWISE,
  }),
];

function isPresent(timer: unknown): boolean {
  return !(typeof timer === 'object' && timer !== null && 'present' in timer && timer.present === false);
}
