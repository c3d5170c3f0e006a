import { choice, flag, int32, listOf, of, quantitiesByName, quantity, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

export const cpuFeature: TSchema = shape({
  name: 'CPUFeature',
  description: 'A feature of the processor.',
  required: ['name'],
  fields: {
    name: text('The name of the feature.'),
    policy: text('`require` (also when empty), `force`, `optional`, `disable` or `forbid`.'),
  },
});

const numaGuestMappingPassthrough: TSchema = shape({
  name: 'NUMAGuestMappingPassthrough',
  description: 'The guest sees the NUMA cells that its processors are on.',
  fields: {},
});

export const numa: TSchema = shape({
  name: 'NUMA',
  description: 'The NUMA cells of the guest.',
  fields: {
    guestMappingPassthrough: of(
      numaGuestMappingPassthrough,
      'The guest sees the NUMA cells that its processors are on.',
    ),
  },
});

export const realtime: TSchema = shape({
  name: 'Realtime',
  description: 'Processors with real-time scheduling.',
  fields: {
    mask: text('Which ones; all when not set.'),
  },
});

export const cpu: TSchema = shape({
  name: 'CPU',
  description: 'The processors of the guest.',
  fields: {
    cores: int32('Cores per socket.'),
    dedicatedCpuPlacement: flag('Give each processor of the guest one of the host to itself.'),
    features: listOf(cpuFeature, 'Features of the processor to have or not to have.'),
    isolateEmulatorThread: flag('Give the emulator a processor of its own; needs dedicated placement.'),
    maxSockets: int32('The sockets that can be plugged in at most.'),
    model: text('A model by name, `host-model` or `host-passthrough`.'),
    numa: of(numa, 'The NUMA cells of the guest.'),
    realtime: of(realtime, 'Which processors have real-time scheduling.'),
    sockets: int32('Sockets.'),
    threads: int32('Threads per core.'),
  },
});

export const hugepages: TSchema = shape({
  name: 'Hugepages',
  description: 'Memory in huge pages.',
  fields: {
    pageSize: text('The size of a page, such as `2Mi` or `1Gi`.'),
  },
});

const reservedOverhead: TSchema = shape({
  name: 'ReservedOverhead',
  description: 'Memory to set aside beside that of the guest.',
  fields: {
    addedOverhead: quantity('How much to add to what is set aside anyway.'),
    memLock: choice(['NotRequired', 'Required'], 'Whether all memory of the process is locked.'),
  },
});

export const memory: TSchema = shape({
  name: 'Memory',
  description: 'The memory of the guest.',
  fields: {
    guest: quantity('How much the guest sees.'),
    hugepages: of(hugepages, 'Take it in huge pages.'),
    maxGuest: quantity('How much can be plugged in at most.'),
    reservedOverhead: of(reservedOverhead, 'Memory to set aside beside that of the guest.'),
  },
});

export const resourceRequirements: TSchema = shape({
  name: 'ResourceRequirements',
  description: 'What the virtual machine asks of its node.',
  fields: {
    limits: quantitiesByName('The most of each resource.'),
    overcommitGuestOverhead: flag('Do not ask for the memory that the emulator itself needs.'),
    requests: quantitiesByName('The least of each resource.'),
  },
});

export const cpuTopology: TSchema = shape({
  name: 'CPUTopology',
  description: 'Sockets, cores and threads.',
  fields: {
    cores: int32('Cores per socket.'),
    sockets: int32('Sockets.'),
    threads: int32('Threads per core.'),
  },
});
