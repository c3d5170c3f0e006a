import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '@smalt/vm-api';

import { forbidden, invalid, notFound, notSupported, required, type Cause } from '../../cause.ts';
import { instance, settings, spec, withoutAdvice } from '../../fixtures/small-instance.ts';
import { validateMigration, validateMigrationUpdate, type MigrationAdmission } from './validate-migration.ts';

describe('validateMigration', () => {
  it('takes a migration of an instance that can move', () => {
    expect(judge(migration())).toEqual([]);
    expect(judge(migration(), { instance: withCondition('True', '') })).toEqual([]);
  });

  it.each([
    {
      rule: 'an instance is named',
      bad: migration({ vmiName: '' }),
      causes: [required('spec.vmiName', 'vmiName is missing')],
    },
    {
      rule: 'the instance exists',
      bad: migration(),
      context: { instance: undefined },
      causes: [notFound('spec.vmiName', 'the VMI "default/small" does not exist')],
    },
    {
      rule: 'the instance has not ended',
      bad: migration(),
      context: { instance: instance(spec(), { status: { phase: 'Succeeded' } }) },
      causes: [invalid('spec.vmiName', 'Cannot migrate VMI in finalized state.')],
    },
    {
      rule: 'the instance can move',
      bad: migration(),
      context: { instance: withCondition('False', 'HostDeviceNotLiveMigratable') },
      causes: [invalid('spec.vmiName', 'Cannot migrate VMI, Reason: HostDeviceNotLiveMigratable, Message: it cannot')],
    },
    {
      rule: 'the instance does not move already',
      bad: migration(),
      context: {
        migrations: [
          migration({}, 'Failed'),
          { ...migration({}, 'Running'), metadata: { name: 'other', uid: 'uid-2' } },
        ],
      },
      causes: [
        invalid(
          'spec.vmiName',
          'in-flight migration detected. Active migration job (uid-2) is currently already in progress for VMI small.',
        ),
      ],
    },
    {
      rule: 'users do not jump the queue',
      bad: migration({ priority: 'system-critical' }),
      causes: [
        forbidden(
          'spec.migrationPriority',
          'Migration priority queue, only virt-controller is allowed to set priority field',
        ),
      ],
    },
    {
      rule: 'migrations between clusters are behind a gate',
      bad: migration({ receive: { migrationID: 'a' } }),
      context: { settings: settings({ disabledFeatureGates: ['DecentralizedLiveMigration'] }) },
      causes: [notSupported('', 'DecentralizedLiveMigration feature gate is not enabled in kubevirt resource')],
    },
    {
      rule: 'both ends of a migration are the same one',
      bad: migration({ receive: { migrationID: 'a' }, sendTo: { migrationID: 'b', connectURL: 'c' } }),
      causes: [invalid('', 'sendTo migrationID b does not match receive migrationID a')],
    },
  ])('$rule', ({ bad, context = {}, causes }) => {
    expect(judge(bad, context)).toEqual(causes);
  });

  it('lets the controller set the priority', () => {
    expect(judge(migration({ priority: 'system-critical' }), { requester: { kind: 'controller' } })).toEqual([]);
  });

  it('sends disks that cannot be shared along to another cluster', () => {
    const stuck = withCondition('False', 'DisksNotLiveMigratable');

    expect(judge(migration({ sendTo: { migrationID: 'a', connectURL: 'b' } }), { instance: stuck })).toEqual([]);
    expect(judge(migration(), { instance: stuck })).toHaveLength(1);
  });

  it('tells all causes at once', () => {
    const bad = migration({ priority: 'high' });
    const ended = {
      ...withCondition('False', 'x'),
      status: { ...withCondition('False', 'x').status, phase: 'Failed' },
    };

    expect(judge(bad, { instance: ended, migrations: [migration()] })).toHaveLength(4);
  });
});

describe('validateMigrationUpdate', () => {
  const old = labelled('small');

  it('takes changes that do not matter', () => {
    const changed = { ...old, metadata: { ...old.metadata, annotations: { a: 'b' } } };

    expect(validateMigrationUpdate(changed, old)).toEqual([]);
  });

  it.each([
    {
      rule: 'another target is another migration',
      changed: { ...old, spec: { vmiName: 'other' } },
      message: "update of Migration object's spec is restricted",
    },
    {
      rule: 'the label stays while it runs',
      changed: labelled('other'),
      message: "selector label can't be modified on an in-flight migration",
    },
    {
      rule: 'the labels stay while it runs',
      changed: { ...old, metadata: { name: 'move' } },
      message: "selector label can't be removed from an in-flight migration",
    },
  ])('$rule', ({ changed, message }) => {
    expect(withoutAdvice(validateMigrationUpdate(changed, old))).toEqual([notSupported('', message)]);
  });

  it('lets labels go when it is over', () => {
    expect(validateMigrationUpdate({ ...labelled('other'), status: { phase: 'Succeeded' } }, old)).toEqual([]);
  });
});

function judge(object: VirtualMachineInstanceMigration, parts: Partial<MigrationAdmission> = {}): readonly Cause[] {
  const context = { settings: settings(), requester: { kind: 'user' }, instance: instance(), migrations: [] } as const;
  return withoutAdvice(validateMigration(object, { ...context, ...parts }));
}

function migration(
  parts: VirtualMachineInstanceMigration['spec'] = {},
  phase = 'Pending',
): VirtualMachineInstanceMigration {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { name: 'move', namespace: 'default' },
    spec: { vmiName: 'small', ...parts },
    status: { phase },
  };
}

function labelled(value: string): VirtualMachineInstanceMigration {
  return { ...migration(), metadata: { name: 'move', labels: { 'kubevirt.io/vmi-name': value } } };
}

function withCondition(status: string, reason: string): VirtualMachineInstance {
  return instance(spec(), {
    status: { conditions: [{ type: 'LiveMigratable', status, reason, message: 'it cannot' }] },
  });
}
