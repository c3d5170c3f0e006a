import { HypervisorDriver } from '@smalt/vm-api';

import { daemonConfiguration, LIBVIRTD } from '../daemon-configuration.ts';
import type { Hypervisor } from '../hypervisor.ts';
import { testDomainSteps } from './domain-steps.ts';
import { testIncapabilities } from './incapabilities.ts';

/** libvirt's mock: domains start, pause and stop, but no guest runs in them. For tests and for trying things out. */
export const test: Hypervisor = {
  name: HypervisorDriver.test,
  description: "libvirt's mock hypervisor, which runs no guests",
  overheads: { launcherMonitorBytes: 0n, launcherBytes: 0n, logDaemonBytes: 0n, daemonBytes: 0n, processBytes: 0n },
  supportsIso: true,
  device: undefined,
  runsPrivileged: false,
  virtualProcessorThread: undefined,
  diskDriver: undefined,
  requiresBootOrder: false,
  supportsMemoryBallooning: true,
  hasVirtioGenerations: true,
  libvirt: {
    configuration: (options) => [daemonConfiguration('libvirtd', options)],
    modularDaemon: undefined,
    monolithicDaemon: LIBVIRTD,
    logDaemon: undefined,
    needsRoot: false,
    uri: 'test:///default',
    user: 'root',
    commandPrefixes: [],
    pidDirectory: undefined,
    canStartPaused: false,
    shutsDownBySignal: false,
  },
  incapabilities: testIncapabilities,
  defaults: { diskBus: undefined, cpuModel: undefined, attachesGraphics: true, supportsHotplug: false },
  domainType: 'test',
  domainSteps: testDomainSteps,
};
