import { choice, int32, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { clock } from './clock.ts';
import { cpu, memory, resourceRequirements } from './cpu-and-memory.ts';
import { devices } from './devices.ts';
import { features } from './features.ts';
import { firmware } from './firmware.ts';
import { launchSecurity } from './launch-security.ts';

const chassis: TSchema = shape({
  name: 'Chassis',
  description: 'The case of the machine that the guest sees.',
  fields: {
    asset: text('The asset tag.'),
    manufacturer: text('Who made it.'),
    serial: text('The serial number.'),
    sku: text('The article number.'),
    version: text('The version.'),
  },
});

export const machine: TSchema = shape({
  name: 'Machine',
  description: 'The type of the machine that the guest sees.',
  fields: {
    type: text('The type, such as `q35` or `pc-q35-9.2`.'),
  },
});

export const diskIOThreads: TSchema = shape({
  name: 'DiskIOThreads',
  description: 'The threads that serve disks.',
  fields: {
    supplementalPoolThreadCount: int32('How many there are in the supplemental pool.'),
  },
});

export const domainSpec: TSchema = shape({
  name: 'DomainSpec',
  description: 'The machine that the guest sees.',
  required: ['devices'],
  fields: {
    chassis: of(chassis, 'Its case.'),
    clock: of(clock, 'Its clock.', { 'x-kubernetes-preserve-unknown-fields': true }),
    cpu: of(cpu, 'Its processors.'),
    devices: of(devices, 'Its devices.'),
    features: of(features, 'Its features.'),
    firmware: of(firmware, 'What starts it.'),
    ioThreads: of(diskIOThreads, 'The threads that serve disks.'),
    ioThreadsPolicy: text('How disks share threads: `shared`, `auto` or `supplementalPool`.'),
    launchSecurity: of(launchSecurity, 'How the guest is shielded from its host.'),
    machine: of(machine, 'Its type.'),
    memory: of(memory, 'Its memory.'),
    rebootPolicy: choice(['Reboot', 'Terminate'], 'What a reboot of the guest does: start again, or end the instance.'),
    resources: of(resourceRequirements, 'What it asks of its node.'),
  },
});
