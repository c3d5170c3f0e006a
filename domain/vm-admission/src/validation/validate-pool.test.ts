import type { VirtualMachinePool, VirtualMachinePoolSpec } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { context, spec, withoutAdvice } from '../fixtures/small-instance.ts';
import { validatePool } from './validate-pool.ts';

describe('validatePool', () => {
  it('takes a pool that counts its own machines', () => {
    expect(validatePool(pool(), undefined, context())).toEqual([]);
  });

  it('refuses one that would not count them, and so make more and more', () => {
    expect(told({ selector: { matchLabels: { app: 'other' } } })).toEqual([
      'spec.selector: selector does not match labels.',
    ]);
  });

  it('judges its machines, and names the fields where they stand', () => {
    const virtualMachineTemplate = {
      metadata: { labels: { app: 'a' } },
      spec: { runStrategy: 'Now', template: { spec: spec({ hostname: 'a.b' }) } },
    };

    expect(told({ virtualMachineTemplate })).toEqual([
      'spec.virtualMachineTemplate.spec.template.spec.hostname: spec.virtualMachineTemplate.spec.template.spec.hostname does not conform to the kubernetes DNS_LABEL rules : must not contain dots',
      'spec.virtualMachineTemplate.spec.runStrategy: Invalid RunStrategy (Now)',
    ]);
  });

  it.each([
    [1, undefined],
    ['20%', undefined],
    [0, 'maxUnavailable must be greater than 0'],
    ['20', 'maxUnavailable percentage must end with %'],
    ['x%', 'maxUnavailable percentage value "x" is invalid: write it like 20%'],
    ['0%', 'maxUnavailable percentage value 0 must be between 1 and 100'],
    ['101%', 'maxUnavailable percentage value 101 must be between 1 and 100'],
  ])('of %j machines that may be down says %s', (maxUnavailable, message) => {
    expect(told({ maxUnavailable })).toEqual(message === undefined ? [] : [`spec.maxUnavailable: ${message}`]);
  });

  it('refuses two strategies for one thing', () => {
    const both = { proactive: {}, unmanaged: {} };

    expect(told({ updateStrategy: both, scaleInStrategy: both })).toEqual([
      'spec.updateStrategy: only one strategy can be configured at a time: but found proactive, unmanaged strategies',
      'spec.scaleInStrategy: only one strategy can be configured at a time: but found proactive, unmanaged strategies',
    ]);
  });

  it('refuses another selector for a pool that is there', () => {
    const old = pool({ selector: { matchLabels: { app: 'a', tier: 'b' } } });

    expect(withoutAdvice(validatePool(pool(), old, context())).map(({ message }) => message)).toEqual([
      'selector is immutable after creation.',
    ]);
    expect(validatePool(pool(), pool(), context())).toEqual([]);
  });
});

function told(parts: Partial<VirtualMachinePoolSpec>): readonly string[] {
  return withoutAdvice(validatePool(pool(parts), undefined, context())).map(
    ({ field, message }) => `${field}: ${message}`,
  );
}

function pool(parts: Partial<VirtualMachinePoolSpec> = {}): VirtualMachinePool {
  return {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      virtualMachineTemplate: {
        metadata: { labels: { app: 'a' } },
        spec: { runStrategy: 'Always', template: { spec: spec() } },
      },
      ...parts,
    },
  };
}
