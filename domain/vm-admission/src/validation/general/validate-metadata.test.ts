import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstance } from '@smalt/vm-api';

import { invalid } from '../../cause.ts';
import { context, instance, spec, withoutAdvice } from '../../fixtures/small-instance.ts';
import { validateInstance } from '../validate-instance.ts';

describe('the rules about metadata', () => {
  it.each([
    'kubevirt.io/created-by',
    'kubevirt.io/migrationJobUID',
    'kubevirt.io/nodeName',
    'kubevirt.io/migrationTargetNodeName',
    'kubevirt.io/schedulable',
    'kubevirt.io/install-strategy',
  ])("the label %s is the control plane's", (name) => {
    const refused = validateInstance(labelled(name), context());
    const taken = validateInstance(labelled(name), { ...context(), requester: { kind: 'controller' } });

    expect(refused).toEqual([
      {
        type: 'FieldValueNotSupported',
        field: 'metadata.labels',
        message: 'creation of the following reserved kubevirt.io/ labels on a VMI object is prohibited',
        advice: `Remove ${name}.`,
      },
    ]);
    expect(taken).toEqual([]);
  });

  it('takes any other label', () => {
    expect(validateInstance(labelled('kubevirt.io/size'), context())).toEqual([]);
  });

  it.each([
    {
      annotation: 'kubevirt.io/ignitiondata',
      gate: 'ExperimentalIgnitionSupport',
      message:
        'ExperimentalIgnitionSupport feature gate is not enabled in kubevirt-config, invalid entry metadata.annotations.kubevirt.io/ignitiondata',
    },
    {
      annotation: 'hooks.kubevirt.io/hookSidecars',
      gate: 'Sidecar',
      message:
        'sidecar feature gate is not enabled in kubevirt-config, invalid entry metadata.annotations.hooks.kubevirt.io/hookSidecars',
    },
  ])('the annotation $annotation needs its gate', ({ annotation, gate, message }) => {
    const annotated = instance(spec(), { metadata: { name: 'small', annotations: { [annotation]: 'x' } } });

    expect(withoutAdvice(validateInstance(annotated, context()))).toEqual([invalid('metadata.annotations', message)]);
    expect(validateInstance(annotated, context({ featureGates: [gate] }))).toEqual([]);
  });
});

function labelled(name: string): VirtualMachineInstance {
  return instance(spec(), { metadata: { name: 'small', labels: { [name]: 'x' } } });
}
