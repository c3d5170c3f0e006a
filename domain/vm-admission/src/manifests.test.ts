import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { causesMessage } from './admission-status.ts';
import { defaultInstance } from './defaults/default-instance.ts';
import { defaultVirtualMachine } from './defaults/default-virtual-machine.ts';
import { context } from './fixtures/small-instance.ts';
import { validateInstance } from './validation/validate-instance.ts';
import { validateVirtualMachine } from './validation/virtual-machine/validate-virtual-machine.ts';

const ACCEPTED: readonly string[] = [
  `
kind: VirtualMachineInstance
metadata: { name: from-an-image }
spec:
  terminationGracePeriodSeconds: 0
  domain:
    resources: { requests: { memory: 128Mi } }
    devices:
      rng: {}
      disks:
        - { name: root, disk: { bus: virtio } }
        - { name: seed, disk: { bus: virtio } }
      interfaces: [{ name: default, masquerade: {}, ports: [{ port: 80 }] }]
  networks: [{ name: default, pod: {} }]
  volumes:
    - { name: root, containerDisk: { image: registry/alpine } }
    - { name: seed, cloudInitNoCloud: { userData: '#cloud-config' } }
`,
  `
kind: VirtualMachineInstance
metadata: { name: secure }
spec:
  domain:
    memory: { guest: 1Gi }
    features: { smm: { enabled: true } }
    firmware: { bootloader: { efi: {} } }
    devices: { disks: [{ name: root, disk: {} }], tpm: {} }
  volumes: [{ name: root, persistentVolumeClaim: { claimName: root } }]
`,
  `
kind: VirtualMachineInstance
metadata: { name: windows }
spec:
  domain:
    cpu: { cores: 2 }
    memory: { guest: 4Gi }
    clock: { utc: {}, timer: { hpet: { present: false }, hyperv: {}, pit: { tickPolicy: delay }, rtc: { tickPolicy: catchup } } }
    features:
      apic: {}
      hyperv: { relaxed: {}, vapic: {}, spinlocks: { spinlocks: 8191 }, synictimer: {}, tlbflush: {} }
    firmware: { uuid: 5d307ca9-b3ef-428c-8861-06e72d69f223 }
    devices:
      disks: [{ name: system, disk: { bus: sata } }, { name: tools, cdrom: {} }]
      interfaces: [{ name: default, masquerade: {}, model: e1000 }]
      inputs: [{ name: pen, type: tablet, bus: usb }]
  networks: [{ name: default, pod: {} }]
  volumes: [{ name: system, dataVolume: { name: system } }]
`,
  `
kind: VirtualMachineInstance
metadata: { name: arm }
spec:
  architecture: arm64
  domain:
    memory: { guest: 256Mi }
    devices: { disks: [{ name: root }] }
  volumes: [{ name: root, emptyDisk: { capacity: 2Gi } }]
`,
  `
kind: VirtualMachineInstance
metadata: { name: pinned }
spec:
  domain:
    cpu: { sockets: 2, cores: 2, threads: 2, dedicatedCpuPlacement: true, isolateEmulatorThread: true, numa: { guestMappingPassthrough: {} }, realtime: {} }
    memory: { guest: 2Gi, hugepages: { pageSize: 1Gi } }
    devices: { autoattachPodInterface: false, autoattachGraphicsDevice: false }
`,
  `
kind: VirtualMachineInstance
metadata: { name: networks }
spec:
  domain:
    memory: { guest: 64Mi }
    devices:
      interfaces:
        - { name: front, bridge: {}, macAddress: '02:42:ac:11:00:02' }
        - { name: fast, sriov: {}, pciAddress: '0000:05:00.0' }
  networks:
    - { name: front, multus: { networkName: front, default: true } }
    - { name: fast, multus: { networkName: sriov/fast } }
  readinessProbe: { exec: { command: [cat, /ready] } }
`,
  `
kind: VirtualMachine
metadata: { name: with-disk, namespace: default }
spec:
  runStrategy: RerunOnFailure
  dataVolumeTemplates:
    - metadata: { name: root }
      spec: { storage: { resources: { requests: { storage: 10Gi } } }, source: { registry: { url: 'docker://registry/fedora' } } }
  template:
    metadata: { labels: { app: db } }
    spec:
      domain: { memory: { guest: 1Gi }, devices: {} }
      volumes: [{ name: root, dataVolume: { name: root } }]
`,
  `
kind: VirtualMachine
metadata: { name: of-a-type, namespace: default }
spec:
  running: false
  instancetype: { name: large }
  template:
    spec:
      domain: { devices: {} }
      volumes: [{ name: root, containerDisk: { image: registry/alpine:3 } }]
`,
];

const REFUSED: readonly { readonly manifest: string; readonly message: string }[] = [
  {
    manifest: `
kind: VirtualMachineInstance
metadata: { name: nothing }
spec: { domain: { devices: {} } }
`,
    message:
      "no memory requested, at least one of 'spec.domain.memory.guest', 'spec.domain.memory.hugepages.pageSize' or 'spec.domain.resources.requests.memory' must be set",
  },
  {
    manifest: `
kind: VirtualMachineInstance
metadata: { name: half-secure }
spec: { domain: { memory: { guest: 1Gi }, firmware: { bootloader: { efi: {} } }, devices: {} } }
`,
    message: 'spec.domain has EFI SecureBoot enabled. SecureBoot requires SMM, which is currently disabled.',
  },
  {
    manifest: `
kind: VirtualMachineInstance
metadata: { name: many-mistakes }
spec:
  hostname: not_a_label
  domain:
    machine: { type: isapc }
    cpu: { sockets: 8, maxSockets: 4 }
    memory: { guest: 1Gi }
    devices:
      disks: [{ name: root, disk: { bus: ide } }, { name: lost }]
      interfaces: [{ name: blue, bridge: {}, model: fast }]
  volumes: [{ name: root }]
`,
    message: [
      "spec.hostname does not conform to the kubernetes DNS_LABEL rules : a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.domain.machine.type is not supported: isapc (allowed values: [q35* pc-q35*])',
      'Number of sockets in CPU topology is greater than the maximum sockets allowed',
      "spec.domain.devices.interfaces[0].name 'blue' not found.",
      'interface spec.domain.devices.interfaces[0].name uses model fast that is not supported.',
      "spec.domain.devices.disks[1].Name 'lost' not found.",
      'IDE bus is not supported',
      'spec.volumes[0] must have exactly one source type set',
    ].join(', '),
  },
  {
    manifest: `
kind: VirtualMachine
metadata: { name: nowhere, namespace: default }
spec:
  template:
    spec:
      domain: { memory: { guest: 64Mi }, devices: { disks: [{ name: root }] } }
`,
    message: "spec.template.spec.domain.devices.disks[0].Name 'root' not found., RunStrategy must be specified",
  },
];

describe('manifests that people write', () => {
  it.each(ACCEPTED.map((manifest) => ({ name: nameIn(manifest), manifest })))('$name is taken', ({ manifest }) => {
    expect(judge(manifest)).toBe('');
  });

  it.each(REFUSED.map((row) => ({ name: nameIn(row.manifest), ...row })))(
    '$name is refused with all that is wrong',
    ({ manifest, message }) => {
      expect(judge(manifest)).toBe(message);
    },
  );
});

describe('whatever is written', () => {
  it('is taken or refused, and never breaks the judge', () => {
    const amount = fc.oneof(
      fc.string(),
      fc.constantFrom('1e5000', '-1', '0', '1e-5000', '9'.repeat(999)),
      fc.integer(),
    );
    const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '../../etc', '$(reboot)', ''));

    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 6, maxLength: 6 }),
        fc.array(name, { minLength: 4, maxLength: 4 }),
        (amounts, names) => {
          const [guest, maxGuest, memory, limit, cpu, page] = amounts;
          const [disk = '', network = '', hypervisor = '', hostname = ''] = names;
          const manifest = {
            kind: 'VirtualMachineInstance',
            metadata: { name: 'hostile' },
            spec: {
              hostname,
              hypervisor,
              architecture: network,
              domain: {
                machine: { type: disk },
                cpu: { dedicatedCpuPlacement: true },
                memory: { guest, maxGuest, hugepages: { pageSize: String(page) } },
                resources: { requests: { memory, cpu }, limits: { memory: limit, cpu } },
                devices: {
                  disks: [{ name: disk, serial: hostname, disk: { bus: network } }],
                  interfaces: [{ name: network, bridge: {}, macAddress: disk }],
                },
              },
              networks: [{ name: network, pod: {} }],
              volumes: [
                { name: disk, cloudInitNoCloud: { userDataBase64: hostname } },
                { name: network, containerDisk: { image: disk, path: hostname } },
              ],
            },
          };

          expect(typeof judge(JSON.stringify(manifest))).toBe('string');
        },
      ),
      { numRuns: 300 },
    );
  });
});

function judge(manifest: string): string {
  const object = parse(manifest) as VirtualMachine | VirtualMachineInstance;
  const admission = context();
  const defaulting = { settings: admission.settings, now: () => new Date(0), randomUuid: () => 'uuid' };
  if (object.kind === 'VirtualMachineInstance') {
    return causesMessage(validateInstance(defaultInstance(object, defaulting), admission));
  }
  const filled = defaultVirtualMachine(object, { ...defaulting, operation: 'create' });
  return causesMessage(validateVirtualMachine(filled, undefined, admission));
}

function nameIn(manifest: string): string {
  return /name: ([\w-]+)/.exec(manifest)?.[1] ?? '';
}
