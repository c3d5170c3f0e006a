import { identityStep, lifeCycleStep, type DomainStep } from '@smalt/domain-xml';
import { HypervisorDriver } from '@smalt/vm-api';

import { daemonConfiguration, LIBVIRTD, modularDaemon } from '../daemon-configuration.ts';
import type { Hypervisor } from '../hypervisor.ts';
import { mebibytes } from '../mebibytes.ts';
import { containerConsoleStep } from './container-console-step.ts';
import { containerFilesystemsStep } from './container-filesystems-step.ts';
import { containerInitStep } from './container-init-step.ts';
import { containerInterfacesStep } from './container-interfaces-step.ts';
import { containerLimitsStep } from './container-limits-step.ts';
import { lxcIncapabilities } from './incapabilities.ts';

const domainSteps: readonly DomainStep[] = [
  identityStep,
  containerLimitsStep,
  containerInitStep,
  lifeCycleStep,
  containerFilesystemsStep,
  containerInterfacesStep,
  containerConsoleStep,
];

/** Containers of the node's own kernel that look like machines: nothing is emulated, little is shielded. */
export const lxc: Hypervisor = {
  name: HypervisorDriver.lxc,
  description: 'Linux containers by libvirt',
  overheads: {
    launcherMonitorBytes: 0n,
    launcherBytes: mebibytes(15),
    logDaemonBytes: 0n,
    daemonBytes: mebibytes(35),
    processBytes: mebibytes(20),
  },
  supportsIso: true,
  device: undefined,
  runsPrivileged: true,
  virtualProcessorThread: undefined,
  diskDriver: undefined,
  requiresBootOrder: false,
  supportsMemoryBallooning: false,
  hasVirtioGenerations: false,
  libvirt: {
    configuration: (options) => [daemonConfiguration('virtlxcd', options)],
    modularDaemon: modularDaemon('virtlxcd'),
    monolithicDaemon: LIBVIRTD,
    logDaemon: undefined,
    needsRoot: true,
    uri: 'lxc:///system',
    user: 'root',
    commandPrefixes: ['libvirt_lxc'],
    pidDirectory: '/run/libvirt/lxc',
    canStartPaused: false,
    shutsDownBySignal: true,
  },
  incapabilities: lxcIncapabilities,
  defaults: { diskBus: undefined, cpuModel: undefined, attachesGraphics: false, supportsHotplug: false },
  domainType: 'lxc',
  domainSteps,
};
