import { HypervisorDriver } from '@smalt/vm-api';

import { daemonConfiguration, LIBVIRTD, modularDaemon, VIRTLOGD } from '../daemon-configuration.ts';
import type { Hypervisor } from '../hypervisor.ts';
import { mebibytes } from '../mebibytes.ts';
import { qemuDomainSteps } from './domain-steps.ts';

/** QEMU with the kernel's virtual machines: the usual one. */
export const qemuKvm: Hypervisor = {
  name: HypervisorDriver.qemuKvm,
  description: 'QEMU with hardware virtualization by KVM',
  overheads: {
    launcherMonitorBytes: 0n,
    launcherBytes: mebibytes(15),
    logDaemonBytes: mebibytes(15),
    daemonBytes: mebibytes(35),
    processBytes: mebibytes(48),
  },
  supportsIso: true,
  device: 'kvm',
  runsPrivileged: false,
  virtualProcessorThread: /^CPU (\d+)\/KVM$/u,
  diskDriver: 'qemu',
  requiresBootOrder: false,
  supportsMemoryBallooning: true,
  hasVirtioGenerations: true,
  libvirt: {
    configuration: (options) => [
      daemonConfiguration('virtqemud', options),
      daemonConfiguration('virtlogd', options),
      // The log daemon outlives the other one, so that nothing a guest prints is lost when that is replaced.
      { path: '/etc/libvirt/qemu.conf', settings: { stdio_handler: 'logd' } },
    ],
    modularDaemon: modularDaemon('virtqemud'),
    monolithicDaemon: LIBVIRTD,
    logDaemon: VIRTLOGD,
    needsRoot: true,
    uri: 'qemu:///system',
    user: 'root',
    commandPrefixes: ['qemu-system', 'qemu-kvm'],
    pidDirectory: '/run/libvirt/qemu',
    canStartPaused: true,
    shutsDownBySignal: false,
  },
  incapabilities: [],
  defaults: { diskBus: undefined, cpuModel: undefined, attachesGraphics: true, supportsHotplug: true },
  domainType: 'kvm',
  domainSteps: qemuDomainSteps,
};
