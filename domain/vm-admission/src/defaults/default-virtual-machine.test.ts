import { describe, expect, it } from 'vitest';

import type { VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceMigration } from '@smalt/vm-api';

import { instance, machine, settings, spec } from '../fixtures/small-instance.ts';
import { keepMacSeed } from './default-mac-seed.ts';
import { defaultMigration } from './default-migration.ts';
import { defaultVirtualMachine, type VirtualMachineDefaulting } from './default-virtual-machine.ts';
import { keepStatus } from './keep-status.ts';

describe('defaultVirtualMachine', () => {
  it('gives a new one an identity that its instances keep', () => {
    const { architecture: _amd, ...open } = spec();
    const filled = defaultVirtualMachine(machine({ runStrategy: 'Always', template: { spec: open } }), defaulting());

    expect(filled.spec.template).toEqual({
      metadata: { annotations: { 'kubevirt.io/pci-topology-version': 'v3', 'smalt.dev/mac-seed': 'uuid-3' } },
      spec: {
        ...open,
        architecture: 'amd64',
        hypervisor: 'qemu-kvm',
        domain: { ...open.domain, machine: { type: 'q35' }, firmware: { uuid: 'uuid-1', serial: 'uuid-2' } },
      },
    });
  });

  it('keeps what is said', () => {
    const said = {
      ...spec({ architecture: 'arm64' }),
      hypervisor: 'test',
      domain: { ...spec().domain, machine: { type: 'virt-9' }, firmware: { uuid: 'u', serial: 's' } },
    };
    const metadata = { annotations: { 'kubevirt.io/pci-topology-version': 'v2', 'smalt.dev/mac-seed': 'mine' } };
    const given = machine({ runStrategy: 'Always', template: { metadata, spec: said } });

    expect(defaultVirtualMachine(given, defaulting())).toEqual(given);
  });

  it('gives an old one no new identity', () => {
    const filled = defaultVirtualMachine(machine(), { ...defaulting(), operation: 'update' });

    expect(filled.spec.template.spec?.domain.firmware).toBeUndefined();
    expect(filled.spec.template.metadata).toBeUndefined();
    expect(filled.spec.template.spec?.domain.machine).toEqual({ type: 'q35' });
  });

  it.each([
    ['what it had, when it is replaced by one without', 'had', undefined, 'had'],
    ['none, when it had none: its guests have addresses already', undefined, undefined, undefined],
    ['what it says', 'had', 'said', 'said'],
  ])('keeps as the seed of hardware addresses %s', (_, had, said, kept) => {
    const filled = defaultVirtualMachine(seeded(said), { ...defaulting(), operation: 'update', old: seeded(had) });

    expect(filled.spec.template.metadata?.annotations?.['smalt.dev/mac-seed']).toBe(kept);
  });

  it.each([
    { sourceArchitecture: 'arm64', architecture: 'arm64', type: 'virt' },
    { sourceArchitecture: 'vax', architecture: 'amd64', type: 'q35' },
  ])(
    'takes the architecture $sourceArchitecture of its disks if it can',
    ({ sourceArchitecture, architecture, type }) => {
      const { architecture: _amd, ...open } = spec();
      const given = machine({ runStrategy: 'Always', template: { spec: open } });

      const filled = defaultVirtualMachine(given, { ...defaulting(), sourceArchitecture });

      expect(filled.spec.template.spec).toMatchObject({ architecture, domain: { machine: { type } } });
    },
  );

  it('leaves one alone that is being deleted or has no template', () => {
    const leaving = machine(undefined, { metadata: { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' } });
    const empty = machine({ runStrategy: 'Always', template: {} });

    expect(defaultVirtualMachine(leaving, defaulting())).toBe(leaving);
    expect(defaultVirtualMachine(empty, defaulting())).toBe(empty);
  });
});

describe('defaultMigration', () => {
  it('makes a migration findable and keeps it until its end', () => {
    const migration: VirtualMachineInstanceMigration = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstanceMigration',
      metadata: { name: 'move', labels: { a: 'b' }, finalizers: ['mine'] },
      spec: { vmiName: 'small' },
    };

    const filled = defaultMigration(migration);

    expect(filled.metadata).toEqual({
      name: 'move',
      labels: { a: 'b', 'kubevirt.io/vmi-name': 'small' },
      finalizers: ['mine', 'kubevirt.io/migrationJobFinalize'],
    });
    expect(defaultMigration(filled)).toEqual(filled);
  });
});

describe('keepStatus', () => {
  it('takes the status from what was there', () => {
    const old = instance(spec(), { status: { phase: 'Running' } });
    const written = instance(spec({ hostname: 'a' }), { status: { phase: 'Failed' } });

    expect(keepStatus(written, old)).toEqual({ ...written, status: { phase: 'Running' } });
    expect(keepStatus(written, instance())).toEqual(instance(spec({ hostname: 'a' })));
  });
});

describe('keepMacSeed', () => {
  it.each([
    ['had', 'other', 'had'],
    ['had', undefined, 'had'],
    [undefined, 'new', undefined],
  ])('of an instance that had %j and is written with %j gives it %j', (had, written, kept) => {
    const { metadata } = keepMacSeed(seededInstance(written), seededInstance(had));

    expect(metadata.annotations).toEqual(seededInstance(kept).metadata.annotations);
  });
});

function seededInstance(seed: string | undefined): VirtualMachineInstance {
  const annotations = { note: 'mine', ...(seed === undefined ? {} : { 'smalt.dev/mac-seed': seed }) };
  return instance(spec(), { metadata: { name: 'small', annotations } });
}

function seeded(seed: string | undefined): VirtualMachine {
  const metadata = seed === undefined ? {} : { annotations: { 'smalt.dev/mac-seed': seed } };
  return machine({ runStrategy: 'Always', template: { metadata, spec: spec() } });
}

function defaulting(): VirtualMachineDefaulting {
  let count = 0;
  return {
    settings: settings(),
    now: () => new Date(0),
    randomUuid: () => `uuid-${++count}`,
    operation: 'create',
  };
}
