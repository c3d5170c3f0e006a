import { printDomain } from '@smalt/domain-xml';
import { isJsonObject, type JsonValue } from '@smalt/json';
import { readVmDefinitions, type VirtualMachineInstance } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { findHypervisor } from '../find-hypervisor.ts';
import { fieldSamples, fieldsOfOthers, fieldsWithoutEffect } from '../fixtures/field-samples.ts';
import { nodeContext } from '../fixtures/node-context.ts';
import { readInstances } from '../fixtures/read-instances.ts';
import { setField } from '../fixtures/set-field.ts';
import { hypervisors } from '../hypervisors.ts';
import { refusalsOf } from './refusals-of.ts';

describe('the fields of a machine', () => {
  it('are all sampled, or somebody else’s', async () => {
    const fields = (await specFields()).filter((field) => field.startsWith('domain.'));

    expect([...fieldSamples.keys(), ...fieldsOfOthers.keys()].toSorted()).toEqual(fields.toSorted());
  });

  const rows = hypervisors.flatMap(({ name }) => [...fieldSamples.keys()].map((field) => ({ name, field })));
  it.each(rows)('$name acts on $field or refuses it', ({ name, field }) => {
    expect(answer(name, field)).toBe(fieldsWithoutEffect[name]?.includes(field) === true ? 'nothing' : 'something');
  });
});

describe('a refusal', () => {
  it.each([
    ['qemu', 'domain.cpu.model', 'host-passthrough', "emulates processors and cannot hand the host's through"],
    ['qemu', 'domain.features.hyperv', { relaxed: {} }, 'has no such feature without KVM'],
    ['qemu', 'domain.clock.timer.kvm', {}, 'has no such clock without KVM'],
    ['cloud-hypervisor', 'domain.firmware.bootloader.bios', {}, 'has no BIOS'],
    ['cloud-hypervisor', 'domain.firmware.bootloader.efi', {}, 'has no secure boot'],
    ['cloud-hypervisor', 'domain.devices.disks[0].cdrom', {}, 'has no CD drives'],
    ['cloud-hypervisor', 'domain.devices.autoattachGraphicsDevice', true, 'has no display'],
    ['cloud-hypervisor', 'architecture', 's390x', 'runs on amd64 and arm64 only'],
    ['cloud-hypervisor', 'startStrategy', 'Paused', 'cannot start a guest paused'],
    ['lxc', 'domain.devices.tpm', {}, 'has no devices'],
    ['lxc', 'domain.firmware.kernelBoot', {}, "runs containers on the node's own kernel"],
    ['lxc', 'evictionStrategy', 'LiveMigrate', 'cannot move a guest while it runs'],
    ['test', 'livenessProbe.exec', { command: ['true'] }, 'has no channel to an agent in the guest'],
    ['test', 'readinessProbe.guestAgentPing', {}, 'has no channel to an agent in the guest'],
  ])('of %s for %s %o says why and what to do', (name, path, value, reason) => {
    const instance = setField(base, `spec.${path.replace('[0]', '[*]')}`, value);

    const [refusal] = refusalsOf(findHypervisor(name), instance);

    expect(refusal).toMatchObject({ field: `spec.${path}`, hypervisor: name });
    expect(refusal?.message).toContain(`spec.${path}: the hypervisor ${name} ${reason}`);
    expect(refusal?.message).toMatch(/; \w.+/u);
  });

  it.each([
    ['qemu', 'domain.cpu.model', 'host-model'],
    ['qemu', 'domain.clock.timer.hyperv', { present: false }],
    ['qemu', 'domain.features.pvspinlock', { enabled: false }],
    ['cloud-hypervisor', 'domain.firmware.bootloader.efi', { secureBoot: false }],
    ['cloud-hypervisor', 'domain.devices.autoattachGraphicsDevice', false],
    ['cloud-hypervisor', 'domain.devices.inputs', []],
    ['cloud-hypervisor', 'domain.machine.type', 'q35'],
    ['cloud-hypervisor', 'domain.machine.type', ''],
    ['lxc', 'evictionStrategy', 'LiveMigrateIfPossible'],
    ['lxc', 'domain.devices.tpm', { enabled: false }],
  ])('is not given by %s for %s %o', (name, path, value) => {
    expect(refusalsOf(findHypervisor(name), setField(base, `spec.${path}`, value))).toEqual([]);
  });

  it('is given for every entry of a list, with the path of a template where it is one', () => {
    const disks = [{ name: 'a' }, { name: 'b', cdrom: {} }, { name: 'c', cdrom: {} }];
    const instance = setField(base, 'spec.domain.devices.disks', disks);

    const fields = refusalsOf(findHypervisor('lxc'), instance, 'spec.template.spec').map(({ field }) => field);

    expect(fields).toEqual([
      'spec.template.spec.domain.devices.disks[1].cdrom',
      'spec.template.spec.domain.devices.disks[2].cdrom',
    ]);
  });

  it('is never given by qemu-kvm for what others run', async () => {
    const refusals = (await readInstances()).flatMap((instance) => refusalsOf(findHypervisor('qemu-kvm'), instance));

    expect(refusals).toEqual([]);
  });

  it('survives fields of a wrong shape', () => {
    const instance = setField(base, 'spec.domain.devices.disks', 'no list');

    expect(refusalsOf(findHypervisor('cloud-hypervisor'), instance)).toEqual([]);
  });
});

/** What a driver does about a sample: refuse it, make another domain of it, or nothing. */
function answer(name: string, field: string): 'something' | 'nothing' {
  const hypervisor = findHypervisor(name);
  const { value, given = {} } = fieldSamples.get(field) ?? { value: undefined };
  const before = Object.entries(given).reduce(
    (instance, [path, part]) => setField(instance, `spec.${path}`, part),
    base,
  );
  const after = setField(before, `spec.${field}`, value);
  if (refusalsOf(hypervisor, after).some((refusal) => refersTo(refusal.field, field))) return 'something';
  const print = (instance: VirtualMachineInstance): string => printDomain(hypervisor, instance, nodeContext(instance));
  return print(before) === print(after) ? 'nothing' : 'something';
}

/** Whether a refusal's place is the field, or something that holds it. */
function refersTo(place: string, field: string): boolean {
  return `spec.${field}`.replaceAll('[*]', '[0]').startsWith(place);
}

async function specFields(): Promise<readonly string[]> {
  const [definition] = (await readVmDefinitions()).filter(
    (each) => at(each, 'spec', 'names', 'kind') === 'VirtualMachineInstance',
  );
  const versions = at(definition, 'spec', 'versions');
  const schema = at(
    Array.isArray(versions) ? versions[0] : undefined,
    'schema',
    'openAPIV3Schema',
    'properties',
    'spec',
  );
  return leaves(schema, '');
}

function leaves(schema: JsonValue | undefined, path: string): readonly string[] {
  const properties = Object.entries(isJsonObject(at(schema, 'properties')) ? (at(schema, 'properties') as object) : {});
  if (properties.length > 0) {
    return properties.flatMap(([name, inner]: [string, JsonValue]) =>
      leaves(inner, path === '' ? name : `${path}.${name}`),
    );
  }
  const items = at(schema, 'items');
  return items === undefined ? [path] : leaves(items, `${path}[*]`);
}

function at(value: JsonValue | undefined, ...names: readonly string[]): JsonValue | undefined {
  return names.reduce<JsonValue | undefined>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);
}

const base: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'base', namespace: 'default', uid: '8a7c8a0e-3b3c-4f0c-9a55-7f1f0f0c2b11' },
  spec: {
    domain: {
      memory: { guest: '1Gi' },
      devices: {
        disks: [
          { name: 'root', disk: { bus: 'virtio' } },
          { name: 'data', disk: { bus: 'virtio' }, bootOrder: 3 },
        ],
        interfaces: [{ name: 'default', masquerade: {} }],
      },
    },
    volumes: [
      { name: 'root', emptyDisk: { capacity: '1Gi' } },
      { name: 'data', emptyDisk: { capacity: '1Gi' } },
      { name: 'shared', configMap: { name: 'settings' } },
    ],
    networks: [{ name: 'default', pod: {} }],
  },
};
