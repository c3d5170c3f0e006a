import {
  type DomainStep,
  hostDevicesStep,
  identityStep,
  interfacesStep,
  lifeCycleStep,
  processorTuningStep,
} from '@smalt/domain-xml';
import { HypervisorDriver } from '@smalt/vm-api';

import { daemonConfiguration, LIBVIRTD, modularDaemon } from '../daemon-configuration.ts';
import type { Hypervisor } from '../hypervisor.ts';
import { mebibytes } from '../mebibytes.ts';
import { cloudHypervisorIncapabilities } from './incapabilities.ts';
import { payloadStep } from './payload-step.ts';
import { fixedMemoryStep } from './fixed-memory-step.ts';
import { fixedProcessorsStep } from './fixed-processors-step.ts';
import { terminalStep } from './terminal-step.ts';
import { virtioDisksStep } from './virtio-disks-step.ts';

const domainSteps: readonly DomainStep[] = [
  identityStep,
  fixedMemoryStep,
  fixedProcessorsStep,
  processorTuningStep,
  payloadStep,
  lifeCycleStep,
  virtioDisksStep,
  interfacesStep,
  terminalStep,
  hostDevicesStep,
];

/** Cloud Hypervisor: few devices, all of them virtio, started in a blink. */
export const cloudHypervisor: Hypervisor = {
  name: HypervisorDriver.cloudHypervisor,
  description: 'Cloud Hypervisor with hardware virtualization by KVM',
  overheads: {
    launcherMonitorBytes: 0n,
    launcherBytes: mebibytes(15),
    logDaemonBytes: 0n,
    daemonBytes: mebibytes(35),
    processBytes: mebibytes(20),
  },
  supportsIso: false,
  device: 'kvm',
  runsPrivileged: false,
  virtualProcessorThread: /^vcpu(\d+)$/u,
  diskDriver: undefined,
  requiresBootOrder: true,
  supportsMemoryBallooning: false,
  hasVirtioGenerations: false,
  libvirt: {
    configuration: (options) => [daemonConfiguration('virtchd', options)],
    modularDaemon: modularDaemon('virtchd'),
    monolithicDaemon: LIBVIRTD,
    logDaemon: undefined,
    needsRoot: true,
    uri: 'ch:///system',
    user: 'root',
    commandPrefixes: ['cloud-hypervisor'],
    pidDirectory: '/run/libvirt/ch',
    canStartPaused: false,
    shutsDownBySignal: false,
  },
  incapabilities: cloudHypervisorIncapabilities,
  defaults: { diskBus: 'virtio', cpuModel: 'host-passthrough', attachesGraphics: false, supportsHotplug: false },
  domainType: 'kvm',
  domainSteps,
};
