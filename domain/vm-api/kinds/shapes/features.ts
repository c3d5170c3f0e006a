import { flag, int32, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

export const featureState: TSchema = shape({
  name: 'FeatureState',
  description: 'A feature that can be on or off.',
  fields: {
    enabled: flag('Whether it is on; true when not set.'),
  },
});

export const featureAPIC: TSchema = shape({
  name: 'FeatureAPIC',
  description: 'The interrupt controller.',
  fields: {
    enabled: flag('Whether it is on; true when not set.'),
    endOfInterrupt: flag('Whether the end of an interrupt is signalled without an exit.'),
  },
});

export const featureKVM: TSchema = shape({
  name: 'FeatureKVM',
  description: 'Features of KVM.',
  fields: {
    hidden: flag('Hide from the guest that it runs on KVM.'),
  },
});

const featureSpinlocks: TSchema = shape({
  name: 'FeatureSpinlocks',
  description: 'How often a lock is tried before the hypervisor is told.',
  fields: {
    enabled: flag('Whether it is on; true when not set.'),
    spinlocks: int32('The number of tries; 4096 when not set.'),
  },
});

const syNICTimer: TSchema = shape({
  name: 'SyNICTimer',
  description: 'The timers of the synthetic interrupt controller.',
  fields: {
    direct: of(featureState, 'Deliver its interrupts without messages.'),
    enabled: flag('Whether it is on; true when not set.'),
  },
});

const tlbFlush: TSchema = shape({
  name: 'TLBFlush',
  description: 'Flushes of address caches through the hypervisor.',
  fields: {
    direct: of(featureState, 'For nested guests too.'),
    enabled: flag('Whether it is on; true when not set.'),
    extended: of(featureState, 'For single addresses.'),
  },
});

const featureVendorID: TSchema = shape({
  name: 'FeatureVendorID',
  description: 'The vendor that the guest sees.',
  fields: {
    enabled: flag('Whether it is on; true when not set.'),
    vendorid: text('The name, of 12 characters at most.'),
  },
});

const hyperVPassthrough: TSchema = shape({
  name: 'HyperVPassthrough',
  description: 'All features of Hyper-V that the host has.',
  fields: {
    enabled: flag('Whether it is on.'),
  },
});

export const featureHyperv: TSchema = shape({
  name: 'FeatureHyperv',
  description: 'Features of Hyper-V, for Windows guests.',
  fields: {
    evmcs: of(featureState, 'Fast nested virtualization.'),
    frequencies: of(featureState, 'The guest can read the frequencies of its clocks.'),
    ipi: of(featureState, 'Interrupts between processors through the hypervisor.'),
    reenlightenment: of(featureState, 'The guest is told when its clock changes frequency.'),
    relaxed: of(featureState, 'The guest does not stop when it was not given time for long.'),
    reset: of(featureState, 'The guest can be reset.'),
    runtime: of(featureState, 'The guest can read how long a processor has run.'),
    spinlocks: of(featureSpinlocks, 'How often a lock is tried before the hypervisor is told.'),
    synic: of(featureState, 'The synthetic interrupt controller.'),
    synictimer: of(syNICTimer, 'The timers of the synthetic interrupt controller.'),
    tlbflush: of(tlbFlush, 'Flushes of address caches through the hypervisor.'),
    vapic: of(featureState, 'Fast access to the interrupt controller.'),
    vendorid: of(featureVendorID, 'The vendor that the guest sees.'),
    vpindex: of(featureState, 'A processor can tell its own number.'),
  },
});

export const features: TSchema = shape({
  name: 'Features',
  description: "Features of the guest's machine.",
  fields: {
    acpi: of(featureState, 'Power management.'),
    apic: of(featureAPIC, 'The interrupt controller.'),
    hyperv: of(featureHyperv, 'Features of Hyper-V, for Windows guests.'),
    hypervPassthrough: of(hyperVPassthrough, 'All features of Hyper-V that the host has.'),
    kvm: of(featureKVM, 'Features of KVM.'),
    pvspinlock: of(featureState, 'Locks that tell the hypervisor when they wait.'),
    smm: of(featureState, 'System management mode, which secure boot needs.'),
  },
});
