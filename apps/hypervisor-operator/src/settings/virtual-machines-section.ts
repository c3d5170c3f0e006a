import { defaultVmComputeSettings as standard } from '@smalt/vm-compute';

import { milliseconds, optionalText, section, text, type Section } from './config-section.ts';
import type { VirtualMachinesConfig } from './operator-config.ts';

const { smokeTest } = standard;

export const virtualMachinesSection: Section<VirtualMachinesConfig> = section({
  heartbeatTimeoutMs: milliseconds(
    standard.heartbeatTimeoutMs,
    'after how long, in ms, without a heartbeat of its virt-handler a host counts as down',
  ),
  smokeTest: section({
    namespace: text(smokeTest.namespace, 'the namespace that test instances live in; it has to be there'),
    image: text(smokeTest.image, 'the image of their disk, whose guest shows its host name on the serial console'),
    hypervisor: optionalText(smokeTest.hypervisor, 'the hypervisor that they run on; empty: the usual one'),
    memory: text(smokeTest.memory, 'their memory'),
    consoleMs: milliseconds(smokeTest.consoleMs, 'how long, in ms, one look at their console listens'),
  }),
});
