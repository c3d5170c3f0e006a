import {
  choice,
  conditions,
  flag,
  int64,
  integer,
  listOf,
  mapOf,
  of,
  quantitiesByName,
  quantity,
  shape,
  text,
  time,
} from '@smalt/kind';
import type { TSchema } from 'typebox';

const aggregate: TSchema = shape({
  name: 'Aggregate',
  description: 'A host aggregate that the hypervisor is in.',
  required: ['name', 'uuid'],
  fields: {
    metadata: mapOf(text(''), 'What is noted about the aggregate.'),
    name: text('The name of the aggregate.'),
    uuid: text('The id of the aggregate.'),
  },
});

const instance: TSchema = shape({
  name: 'Instance',
  description: 'A domain of libvirt on the host.',
  required: ['active', 'id', 'name'],
  fields: {
    active: flag('Whether it runs.'),
    id: text('The UUID of the domain.'),
    name: text('The name of the domain.'),
  },
});

const capabilities: TSchema = shape({
  name: 'Capabilities',
  description: 'What libvirt says about the host.',
  fields: {
    cpuArch: text('The architecture of its processors.', { default: 'unknown' }),
    cpus: quantity('The processors of all NUMA cells.'),
    memory: quantity('The memory of all NUMA cells.'),
  },
});

const domainCapabilities: TSchema = shape({
  name: 'DomainCapabilities',
  description: 'What libvirt can give to a guest on this host.',
  fields: {
    arch: text('The architecture of guests.', { default: 'unknown' }),
    hypervisorType: text('The type of guests, such as `ch`, `kvm` or `qemu`.', { default: 'unknown' }),
    supportedCpuModes: listOf(text(''), 'CPU modes as `mode/NAME` and `mode/NAME/VALUE`.', { default: [] }),
    supportedDevices: listOf(text(''), 'Devices as `NAME` and `NAME/VALUE`, such as `video/none`.', { default: [] }),
    supportedFeatures: listOf(text(''), 'Features that are supported, such as `sev`.', { default: [] }),
  },
});

const operatingSystem: TSchema = shape({
  name: 'OperatingSystemStatus',
  description: 'The operating system, firmware and hardware of the host.',
  fields: {
    firmwareDate: time('When the firmware was made.'),
    firmwareVendor: text('Who made the firmware.'),
    firmwareVersion: text('The version of the firmware.'),
    gardenLinuxCommitID: text('The commit that Garden Linux was built from.'),
    gardenLinuxFeatures: listOf(text(''), 'The features that Garden Linux was built with.'),
    hardwareModel: text('The model of the machine.'),
    hardwareSerial: text('The serial number of the machine.'),
    hardwareVendor: text('Who made the machine.'),
    kernelCommandLine: text('What the kernel was started with.'),
    kernelName: text('The name of the kernel, such as `Linux`.'),
    kernelRelease: text('The release of the kernel.'),
    kernelVersion: text('The version of the kernel, with its build.'),
    prettyVersion: text('Name and version for people.'),
    variantID: text('The variant of the operating system.'),
    version: text('The version of the operating system.'),
  },
});

const updateStatus: TSchema = shape({
  name: 'HypervisorUpdateStatus',
  description: 'How far the update of the operating system is.',
  required: ['inProgress', 'retry'],
  fields: {
    inProgress: flag('Whether an update runs.', { default: false }),
    installed: text('The version that was installed last.', { default: 'unknown' }),
    retry: integer('How many more times it will be tried.', { default: 3 }),
  },
});

const cell: TSchema = shape({
  name: 'Cell',
  description: 'A NUMA cell of the host.',
  required: ['cellID'],
  fields: {
    allocation: quantitiesByName('What its guests were given.'),
    capacity: quantitiesByName('What it physically has.'),
    cellID: int64('The number of the cell.'),
    effectiveCapacity: quantitiesByName('What it has to give, overcommit included.'),
  },
});

const smokeTest: TSchema = shape({
  name: 'SmokeTest',
  description: 'How the test instances of onboarding fared.',
  required: ['failures'],
  fields: {
    failedAt: time('When the last one failed.'),
    failures: integer('How many failed since onboarding began.'),
    instanceId: text('The id of the last one that failed.'),
    message: text('Why the last one failed.'),
    passedAt: time('When one passed.'),
  },
});

export const hypervisorStatus: TSchema = shape({
  name: 'HypervisorStatus',
  description: 'What is known about a hypervisor.',
  required: ['numInstances'],
  fields: {
    aggregates: listOf(aggregate, 'The host aggregates it is in.'),
    allocation: quantitiesByName('What its guests were given, those that do not run included.'),
    capabilities: of(capabilities, 'What libvirt says about the host.'),
    capacity: quantitiesByName('What it physically has.'),
    cells: listOf(cell, 'Its NUMA cells.'),
    conditions: conditions('What is the case with the host.'),
    domainCapabilities: of(domainCapabilities, 'What libvirt can give to a guest.'),
    effectiveCapacity: quantitiesByName('What it has to give, overcommit included; fractions are cut off.'),
    evicted: flag('Whether it is in maintenance and all instances have left.'),
    hypervisorId: text('Its id as a hypervisor in Nova and as a resource provider in Placement.'),
    hypervisorVersion: text('The version of the virtual machine monitor.', { default: 'unknown' }),
    instances: listOf(instance, 'The guests, those that run first.'),
    internalIp: text('The internal address of the node.'),
    libVirtVersion: text('The version of libvirt.', { default: 'unknown' }),
    lifecycleState: choice(
      ['Initial', 'Onboarding', 'Testing', 'Aborted', 'Ready', 'Active', 'Maintenance', 'Evicting', 'Decommissioned'],
      'Where it is in its life, in one word; the conditions tell the rest.',
    ),
    numInstances: integer('How many guests there are, those that do not run included.', { default: 0 }),
    operatingSystem: of(operatingSystem, 'The operating system, firmware and hardware.'),
    serviceId: text('The id of its compute service in Nova.'),
    smokeTest: of(smokeTest, 'How the test instances fared, while the host is onboarded.'),
    specHash: text('Kept for objects that have it; nothing reads it.'),
    traits: listOf(text(''), 'The traits it has in Placement, sorted.'),
    updateStatus: of(updateStatus, 'How far the update of the operating system is.'),
  },
});
