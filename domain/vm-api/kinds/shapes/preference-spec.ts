import { int32, int64, listOf, mapOf, of, quantity, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { clockOffsetUTC, timer } from './clock.ts';
import { cpuFeature } from './cpu-and-memory.ts';
import { launchSecurity } from './launch-security.ts';
import { devicePreferences, featurePreferences, firmwarePreferences } from './preferred-devices.ts';

const clockOffset: TSchema = shape({
  name: 'ClockOffset',
  description: 'Where the clock of the guest starts.',
  fields: {
    timezone: text('At the time of this zone, such as `Europe/Berlin`.'),
    utc: of(clockOffsetUTC, 'At UTC.'),
  },
});

const clockPreferences: TSchema = shape({
  name: 'ClockPreferences',
  description: 'Defaults of the clock.',
  fields: {
    preferredClockOffset: of(clockOffset, 'Where the clock starts.'),
    preferredTimer: of(timer, 'The timers.'),
  },
});

const spreadOptions: TSchema = shape({
  name: 'SpreadOptions',
  description: 'How processors are spread.',
  fields: {
    across: text('`SocketsCores` (also when not set), `CoresThreads` or `SocketsCoresThreads`.'),
    ratio: int32('How many of the smaller there are in one of the larger; 2 when not set.', { minimum: 0 }),
  },
});

const cpuPreferences: TSchema = shape({
  name: 'CPUPreferences',
  description: 'Defaults of the processors.',
  fields: {
    preferredCPUFeatures: listOf(cpuFeature, 'Features of the processor.'),
    preferredCPUTopology: text(
      'What processors become: `sockets` (also when not set), `cores`, `threads`, `spread` or `any`.',
    ),
    spreadOptions: of(spreadOptions, 'How they are spread.'),
  },
});

const machinePreferences: TSchema = shape({
  name: 'MachinePreferences',
  description: 'Defaults of the machine.',
  fields: { preferredMachineType: text('The type, such as `q35`.') },
});

const volumePreferences: TSchema = shape({
  name: 'VolumePreferences',
  description: 'Defaults of volumes.',
  fields: { preferredStorageClassName: text('The storage class of volumes that belong to the machine.') },
});

const cpuPreferenceRequirement: TSchema = shape({
  name: 'CPUPreferenceRequirement',
  description: 'The least processors.',
  required: ['guest'],
  fields: { guest: int32('How many there must be.', { minimum: 0 }) },
});

const memoryPreferenceRequirement: TSchema = shape({
  name: 'MemoryPreferenceRequirement',
  description: 'The least memory.',
  required: ['guest'],
  fields: { guest: quantity('How much there must be.') },
});

const preferenceRequirements: TSchema = shape({
  name: 'PreferenceRequirements',
  description: 'What a machine must have.',
  fields: {
    architecture: text('The architecture that it must have.'),
    cpu: of(cpuPreferenceRequirement, 'The least processors.'),
    memory: of(memoryPreferenceRequirement, 'The least memory.'),
  },
});

export const virtualMachinePreferenceSpec: TSchema = shape({
  name: 'VirtualMachinePreferenceSpec',
  description: 'Defaults for what a machine does not say itself.',
  fields: {
    annotations: mapOf(text(''), 'Annotations of its instances.'),
    clock: of(clockPreferences, 'Defaults of the clock.'),
    cpu: of(cpuPreferences, 'Defaults of the processors.'),
    devices: of(devicePreferences, 'Defaults of devices.'),
    features: of(featurePreferences, 'Defaults of features.'),
    firmware: of(firmwarePreferences, 'Defaults of the firmware.'),
    machine: of(machinePreferences, 'Defaults of the machine.'),
    preferSpreadSocketToCoreRatio: int32('Cores per socket where processors are spread; 2 when not set.', {
      minimum: 0,
    }),
    preferredArchitecture: text('The architecture.'),
    preferredLaunchSecurity: of(launchSecurity, 'How the guest is shielded from its host.'),
    preferredSubdomain: text('The subdomain.'),
    preferredTerminationGracePeriodSeconds: int64('How many seconds the guest has to shut down.'),
    requirements: of(preferenceRequirements, 'What the machine must have.'),
    volumes: of(volumePreferences, 'Defaults of volumes.'),
  },
});
