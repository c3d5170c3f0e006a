import { describe, expect, it } from 'vitest';

import type { RefusalsOf } from '../admission-context.ts';
import { context, instance, machine, spec } from '../fixtures/small-instance.ts';
import { validateInstance } from './validate-instance.ts';
import { validateVirtualMachine } from './virtual-machine/validate-virtual-machine.ts';

describe('what drivers refuse', () => {
  it('is told with the other causes, at the place where the spec stands', () => {
    const parts = { ...spec(), hypervisor: 'headless' };
    const admission = { ...context(ALLOWED), refusalsOf };

    expect(validateInstance(instance(parts), admission)).toEqual([
      {
        type: 'FieldValueNotSupported',
        field: 'spec.domain.devices.video',
        message: 'headless has no screen; connect to the serial console',
      },
    ]);
    expect(
      validateVirtualMachine(machine({ runStrategy: 'Always', template: { spec: parts } }), undefined, admission),
    ).toMatchObject([{ field: 'spec.template.spec.domain.devices.video' }]);
  });

  it('is asked of the driver of the cluster where none is named', () => {
    expect(
      validateInstance(instance(), { ...context({ ...ALLOWED, defaultHypervisor: 'headless' }), refusalsOf }),
    ).toHaveLength(1);
    expect(validateInstance(instance(), { ...context({ ...ALLOWED, defaultHypervisor: 'full' }), refusalsOf })).toEqual(
      [],
    );
  });

  it('is everything where there is no such driver', () => {
    expect(validateInstance(instance({ ...spec(), hypervisor: 'vax' }), { ...context(), refusalsOf })).toEqual([
      {
        type: 'FieldValueNotSupported',
        field: 'spec.hypervisor',
        message: 'spec.hypervisor is not a known driver: vax',
        advice: 'Leave it out for qemu-kvm, or use a driver that the cluster has.',
      },
    ]);
  });
});

describe('drivers that may be chosen', () => {
  it.each([
    { hypervisor: 'qemu-kvm', allowed: undefined, isTaken: true },
    { hypervisor: 'test', allowed: undefined, isTaken: true },
    { hypervisor: 'lxc', allowed: undefined, isTaken: false },
    { hypervisor: 'lxc', allowed: ['qemu', 'lxc'], isTaken: true },
    { hypervisor: 'qemu-kvm', allowed: ['qemu'], isTaken: false },
    { hypervisor: '', allowed: ['qemu'], isTaken: false },
  ])('take $hypervisor where $allowed are allowed: $isTaken', ({ hypervisor, allowed, isTaken }) => {
    const admission = context(allowed === undefined ? {} : { allowedHypervisors: allowed });

    const causes = validateInstance(instance({ ...spec(), hypervisor }), admission);

    expect(causes.map(({ field }) => field)).toEqual(isTaken ? [] : ['spec.hypervisor']);
  });

  it('are named in the refusal, with the setting that allows more', () => {
    const causes = validateInstance(
      instance({ ...spec(), hypervisor: 'lxc' }),
      context({ allowedHypervisors: ['qemu-kvm', 'qemu'] }),
    );

    expect(causes).toEqual([
      {
        type: 'FieldValueNotSupported',
        field: 'spec.hypervisor',
        message: 'spec.hypervisor is not allowed in this cluster: lxc',
        advice:
          'Use qemu-kvm, qemu, or have whoever runs the cluster name lxc in machines.allowedHypervisors of virt-api.',
      },
    ]);
  });

  it('count for the control plane too, for it acts on the word of users', () => {
    const admission = { ...context(), requester: { kind: 'controller' } as const };

    expect(validateInstance(instance({ ...spec(), hypervisor: 'lxc' }), admission)).toHaveLength(1);
  });

  it('do not keep a machine from being stopped that had its driver before they were fewer', () => {
    const template = { spec: { ...spec(), hypervisor: 'lxc' } };
    const old = machine({ runStrategy: 'Always', template });
    const stopped = machine({ runStrategy: 'Halted', template });

    expect(validateVirtualMachine(stopped, old, context())).toEqual([]);
    expect(validateVirtualMachine(stopped, machine(), context())).toMatchObject([
      { field: 'spec.template.spec.hypervisor' },
    ]);
    expect(validateVirtualMachine(old, undefined, context())).toHaveLength(1);
  });
});

const ALLOWED = { allowedHypervisors: ['headless', 'full', 'qemu-kvm'] };

const refusalsOf: RefusalsOf = (hypervisor, _instance, path) => {
  if (hypervisor === 'vax') return undefined;
  const field = `${path}.domain.devices.video`;
  return hypervisor === 'headless' ? [{ field, message: 'headless has no screen; connect to the serial console' }] : [];
};
