import { describe, expect, it } from 'vitest';

import type { RefusalsOf } from '../admission-context.ts';
import { context, instance, machine, spec } from '../fixtures/small-instance.ts';
import { validateInstance } from './validate-instance.ts';
import { validateVirtualMachine } from './virtual-machine/validate-virtual-machine.ts';

describe('what drivers refuse', () => {
  it('is told with the other causes, at the place where the spec stands', () => {
    const parts = { ...spec(), hypervisor: 'headless' };
    const admission = { ...context(), refusalsOf };

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
    expect(validateInstance(instance(), { ...context({ defaultHypervisor: 'headless' }), refusalsOf })).toHaveLength(1);
    expect(validateInstance(instance(), { ...context({ defaultHypervisor: 'full' }), refusalsOf })).toEqual([]);
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

const refusalsOf: RefusalsOf = (hypervisor, _instance, path) => {
  if (hypervisor === 'vax') return undefined;
  const field = `${path}.domain.devices.video`;
  return hypervisor === 'headless' ? [{ field, message: 'headless has no screen; connect to the serial console' }] : [];
};
