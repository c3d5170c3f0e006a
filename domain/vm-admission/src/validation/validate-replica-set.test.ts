import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstanceReplicaSet } from '@smalt/vm-api';

import { invalid, notSupported, required } from '../cause.ts';
import { context, spec, withoutAdvice } from '../fixtures/small-instance.ts';
import { validateReplicaSet } from './validate-replica-set.ts';

describe('validateReplicaSet', () => {
  it('takes a set that counts its own instances', () => {
    expect(validateReplicaSet(replicaSet(), context())).toEqual([]);
  });

  it('refuses a set that would not count them, and so make more and more', () => {
    expect(
      withoutAdvice(validateReplicaSet(replicaSet({ selector: { matchLabels: { app: 'other' } } }), context())),
    ).toEqual([invalid('spec.selector', 'selector does not match labels.')]);
  });

  it('refuses a selector that is none', () => {
    const bad = replicaSet({ selector: { matchExpressions: [{ key: 'app', operator: 'Like', values: ['a'] }] } });

    expect(withoutAdvice(validateReplicaSet(bad, context()))).toEqual([
      invalid('spec.selector', '"Like" is not a valid label selector operator'),
    ]);
  });

  it('judges the template as that of a virtual machine, with what its driver refuses', () => {
    const bad = replicaSet({
      template: { metadata: { labels: { app: 'a' } }, spec: { ...spec({ hostname: 'a.b' }), hypervisor: 'lxc' } },
    });
    const refusal = { field: 'spec.template.spec.domain', message: 'a container has no domain' };

    const admission = context({ allowedHypervisors: ['lxc'] });
    const causes = validateReplicaSet(bad, { ...admission, refusalsOf: (name) => (name === 'lxc' ? [refusal] : []) });

    expect(causes).toEqual([
      invalid(
        'spec.template.spec.hostname',
        'spec.template.spec.hostname does not conform to the kubernetes DNS_LABEL rules : must not contain dots',
      ),
      notSupported(refusal.field, refusal.message),
    ]);
  });

  it('refuses a set without a template', () => {
    const { template: _template, ...rest } = replicaSet().spec;
    const bad = { ...replicaSet(), spec: rest } as VirtualMachineInstanceReplicaSet;

    expect(validateReplicaSet(bad, context())).toEqual([
      required('spec.template', 'missing virtual machine template.'),
    ]);
  });
});

function replicaSet(parts: Partial<VirtualMachineInstanceReplicaSet['spec']> = {}): VirtualMachineInstanceReplicaSet {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata: { name: 'set' },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: spec() },
      ...parts,
    },
  };
}
