import { atomicListOf, flag, int32, integer, mapOf, of, quantity, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { hugepages, numa, realtime } from './cpu-and-memory.ts';
import { gpu, hostDevice } from './devices.ts';
import { diskIOThreads } from './domain.ts';
import { launchSecurity } from './launch-security.ts';

const cpuInstancetype: TSchema = shape({
  name: 'CPUInstancetype',
  description: 'The processors of a type.',
  required: ['guest'],
  fields: {
    dedicatedCPUPlacement: flag('Give each processor of the guest one of the host to itself.'),
    guest: int32('How many the guest sees.', { minimum: 0 }),
    isolateEmulatorThread: flag('Give the emulator a processor of its own.'),
    maxSockets: int32('The sockets that can be plugged in at most.', { minimum: 0 }),
    model: text('A model by name, `host-model` or `host-passthrough`.'),
    numa: of(numa, 'The NUMA cells of the guest.'),
    realtime: of(realtime, 'Which processors have real-time scheduling.'),
  },
});

const memoryInstancetype: TSchema = shape({
  name: 'MemoryInstancetype',
  description: 'The memory of a type.',
  required: ['guest'],
  fields: {
    guest: quantity('How much the guest sees.'),
    hugepages: of(hugepages, 'Take it in huge pages.'),
    maxGuest: quantity('How much can be plugged in at most.'),
    overcommitPercent: integer('By how many per cent less is asked of the node than the guest sees.', {
      minimum: 0,
      maximum: 100,
    }),
  },
});

export const virtualMachineInstancetypeSpec: TSchema = shape({
  name: 'VirtualMachineInstancetypeSpec',
  description: 'What machines of a type have. They cannot say otherwise themselves.',
  required: ['cpu', 'memory'],
  fields: {
    annotations: mapOf(text(''), 'Annotations of their instances.'),
    cpu: of(cpuInstancetype, 'Their processors.'),
    gpus: atomicListOf(gpu, 'GPUs that are handed to them.'),
    hostDevices: atomicListOf(hostDevice, 'Devices of the host that are handed to them.'),
    ioThreads: of(diskIOThreads, 'The threads that serve disks.'),
    ioThreadsPolicy: text('How disks share threads: `shared`, `auto` or `supplementalPool`.'),
    launchSecurity: of(launchSecurity, 'How guests are shielded from their host.'),
    memory: of(memoryInstancetype, 'Their memory.'),
    nodeSelector: mapOf(text(''), 'Labels that their nodes have.'),
    schedulerName: text('Who chooses their nodes.'),
  },
});
