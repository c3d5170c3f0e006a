import type { JsonObject, JsonValue } from '@smalt/json';

import { RULES_NOT_CHECKED, type KindCase } from '@smalt/kind';

export const instanceCases: readonly KindCase[] = [
  { title: 'needs no more than devices', object: instance({ domain: { devices: {} } }), errors: [] },
  { title: 'needs a spec', object: instance(), errors: ['spec: Required value', RULES_NOT_CHECKED] },
  { title: 'needs a domain', object: instance({}), errors: ['spec.domain: Required value', RULES_NOT_CHECKED] },
  {
    title: 'needs devices',
    object: instance({ domain: {} }),
    errors: ['spec.domain.devices: Required value', RULES_NOT_CHECKED],
  },
  { title: 'may name any driver', object: instance({ hypervisor: 'my-driver', domain: { devices: {} } }), errors: [] },
  {
    title: 'takes no driver with spaces',
    object: instance({ hypervisor: 'My Driver', domain: { devices: {} } }),
    errors: [
      'spec.hypervisor: Invalid value: "My Driver": spec.hypervisor in body should match \'^[a-z0-9]([-a-z0-9]*[a-z0-9])?$\'',
    ],
  },
  {
    title: 'takes no driver by number',
    object: instance({ hypervisor: 7, domain: { devices: {} } }),
    errors: [
      'spec.hypervisor: Invalid value: "integer": spec.hypervisor in body must be of type string: "integer"',
      RULES_NOT_CHECKED,
    ],
  },
  {
    title: 'takes memory as a number',
    object: instance({ domain: { devices: {}, memory: { guest: 1073741824 } } }),
    errors: [],
  },
  {
    title: 'takes no memory in other units',
    object: instance({ domain: { devices: {}, memory: { guest: '1 GB' } } }),
    errors: [
      'spec.domain.memory.guest: Invalid value: "1 GB": spec.domain.memory.guest in body should match \'^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$\'',
    ],
  },
  {
    title: 'takes no memory that is yes',
    object: instance({ domain: { devices: {}, memory: { guest: true } } }),
    errors: [
      'spec.domain.memory.guest: Invalid value: "boolean": spec.domain.memory.guest in body must be of type integer,string: "boolean"',
      '<nil>: Invalid value: "": "spec.domain.memory.guest" must validate at least one schema (anyOf)',
      'spec.domain.memory.guest: Invalid value: "boolean": spec.domain.memory.guest in body must be of type integer: "boolean"',
      RULES_NOT_CHECKED,
    ],
  },
  {
    title: 'takes whole cores only',
    object: instance({ domain: { devices: {}, cpu: { cores: 1.5 } } }),
    errors: [
      'spec.domain.cpu.cores: Invalid value: "float64": spec.domain.cpu.cores in body must be of type int32: "float64"',
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.domain.cpu.cores',
      RULES_NOT_CHECKED,
    ],
  },
  { title: 'takes a disk by its name', object: devices({ disks: [{ name: 'root' }] }), errors: [] },
  {
    title: 'takes no disk without a name',
    object: devices({ disks: [{ disk: { bus: 'virtio' } }] }),
    errors: ['spec.domain.devices.disks[0].name: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no more than 256 disks',
    object: devices({ disks: many(257) }),
    errors: ['spec.domain.devices.disks: Too many: 257: must have at most 256 items', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no more than 256 interfaces',
    object: devices({ interfaces: many(257) }),
    errors: ['spec.domain.devices.interfaces: Too many: 257: must have at most 256 items', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no more than 256 volumes',
    object: instance({ domain: { devices: {} }, volumes: many(257) }),
    errors: ['spec.volumes: Too many: 257: must have at most 256 items', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no port without a number',
    object: devices({ interfaces: [{ name: 'a', ports: [{ name: 'ssh' }] }] }),
    errors: ['spec.domain.devices.interfaces[0].ports[0].port: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no watchdog without a name',
    object: devices({ watchdog: { i6300esb: {} } }),
    errors: ['spec.domain.devices.watchdog.name: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no input without a type',
    object: devices({ inputs: [{ name: 'a', bus: 'usb' }] }),
    errors: ['spec.domain.devices.inputs[0].type: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no shared directory without a way',
    object: devices({ filesystems: [{ name: 'a' }] }),
    errors: ['spec.domain.devices.filesystems[0].virtiofs: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no other policy for reboots',
    object: instance({ domain: { devices: {}, rebootPolicy: 'Ignore' } }),
    errors: [
      'spec.domain.rebootPolicy: Unsupported value: "Ignore": supported values: "Reboot", "Terminate"',
      RULES_NOT_CHECKED,
    ],
  },
  {
    title: 'takes no container disk without an image',
    object: volume({ containerDisk: {} }),
    errors: ['spec.volumes[0].containerDisk.image: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no empty disk without a size',
    object: volume({ emptyDisk: {} }),
    errors: ['spec.volumes[0].emptyDisk.capacity: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes no host disk without path and type',
    object: volume({ hostDisk: {} }),
    errors: [
      'spec.volumes[0].hostDisk.path: Required value',
      'spec.volumes[0].hostDisk.type: Required value',
      RULES_NOT_CHECKED,
    ],
  },
  {
    title: 'takes no directory of the launcher by a relative path',
    object: volume({ containerPath: { path: '../etc' } }),
    errors: [
      'spec.volumes[0].containerPath.path: Invalid value: "../etc": path must be absolute (start with \'/\')',
      'spec.volumes[0].containerPath.path: Invalid value: "../etc": path must not contain \'..\'',
    ],
  },
  {
    title: 'takes a directory of the launcher to read only',
    object: volume({ containerPath: { path: '/a', readOnly: false } }),
    errors: [
      'spec.volumes[0].containerPath.readOnly: Invalid value: false: readOnly must be true, write access is not supported',
    ],
  },
  {
    title: 'takes no probe without a port',
    object: instance({ domain: { devices: {} }, readinessProbe: { tcpSocket: {} } }),
    errors: ['spec.readinessProbe.tcpSocket.port: Required value', RULES_NOT_CHECKED],
  },
  {
    title: 'takes a utility volume once only',
    object: instance({
      domain: { devices: {} },
      utilityVolumes: [
        { name: 'a', claimName: 'b' },
        { name: 'a', claimName: 'c' },
      ],
    }),
    errors: ['spec.utilityVolumes[1]: Duplicate value: {"name":"a"}'],
  },
  {
    title: 'takes a user once only',
    object: instance({
      domain: { devices: {} },
      accessCredentials: [
        {
          sshPublicKey: {
            source: { secret: { secretName: 'a' } },
            propagationMethod: { qemuGuestAgent: { users: ['root', 'root'] } },
          },
        },
      ],
    }),
    errors: [
      'spec.accessCredentials[0].sshPublicKey.propagationMethod.qemuGuestAgent.users[1]: Duplicate value: "root"',
    ],
  },
  {
    title: 'takes its status with the rest',
    object: { ...instance({ domain: { devices: {} } }), status: { phase: 'Pending' } },
    errors: [],
  },
  {
    title: 'takes conditions that never changed',
    object: {
      ...instance({ domain: { devices: {} } }),
      status: { conditions: [{ type: 'Ready', status: 'False', lastProbeTime: null, lastTransitionTime: null }] },
    },
    errors: [],
  },
  {
    title: 'takes a condition once only',
    object: {
      ...instance({ domain: { devices: {} } }),
      status: {
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'Ready', status: 'True' },
        ],
      },
    },
    errors: ['status.conditions[1]: Duplicate value: {"type":"Ready"}'],
  },
  {
    title: 'takes no address of a socket below zero',
    object: { ...instance({ domain: { devices: {} } }), status: { VSOCKCID: -1 } },
    errors: ['status.VSOCKCID: Invalid value: -1: status.VSOCKCID in body should be greater than or equal to 0'],
  },
];

function instance(spec?: JsonValue): JsonObject {
  const head = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'small', namespace: 'default' },
  };
  return spec === undefined ? head : { ...head, spec };
}

function devices(held: JsonObject): JsonObject {
  return instance({ domain: { devices: held } });
}

function volume(source: JsonObject): JsonObject {
  return instance({ domain: { devices: {} }, volumes: [{ name: 'root', ...source }] });
}

function many(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({ name: `n${index}` }));
}
