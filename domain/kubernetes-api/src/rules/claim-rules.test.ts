import type { JsonObject, JsonValue } from '@smalt/json';
import { formatFieldError } from '@smalt/resource';
import { beforeAll, describe, expect, it } from 'vitest';

import { builtInResources } from '../built-in-resources.ts';

const templates = builtInResources().find(({ kind }) => kind === 'ResourceClaimTemplate');
const EXACTLY = { deviceClassName: 'gpu.example.com' };

beforeAll(() => templates?.load?.());

describe('a ResourceClaimTemplate', () => {
  it('asks for one device of a class unless it says how many', () => {
    const filled = templates?.strategy.default(template([{ name: 'gpu', exactly: EXACTLY }]));

    expect(filled).toMatchObject(
      template([{ name: 'gpu', exactly: { ...EXACTLY, allocationMode: 'ExactCount', count: 1 } }]),
    );
  });

  it.each<[string, readonly JsonValue[], readonly string[]]>([
    ['takes one request', [{ name: 'gpu', exactly: EXACTLY }], []],
    ['takes a choice', [{ name: 'gpu', firstAvailable: [{ name: 'large', ...EXACTLY }] }], []],
    ['takes all devices of a class', [{ name: 'gpu', exactly: { ...EXACTLY, allocationMode: 'All' } }], []],
    [
      'refuses a request that asks for nothing',
      [{ name: 'gpu' }],
      ['spec.spec.devices.requests[0]: exactly one of `exactly` or `firstAvailable` is required'],
    ],
    [
      'refuses a name that is none',
      [{ name: 'G P U', exactly: EXACTLY }],
      ['spec.spec.devices.requests[0].name: a lowercase RFC 1123 label'],
    ],
    [
      'refuses two requests of one name',
      [
        { name: 'gpu', exactly: EXACTLY },
        { name: 'gpu', exactly: EXACTLY },
      ],
      ['spec.spec.devices.requests[1].name: Duplicate value'],
    ],
    [
      'refuses a way to count that nobody knows',
      [{ name: 'gpu', exactly: { ...EXACTLY, allocationMode: 'Some' } }],
      ['spec.spec.devices.requests[0].exactly.allocationMode: Unsupported value'],
    ],
    [
      'refuses less than one',
      [{ name: 'gpu', exactly: { ...EXACTLY, count: -1 } }],
      ['spec.spec.devices.requests[0].exactly.count: must be greater than zero'],
    ],
  ])('%s', (_what, requests, told) => {
    const object = templates?.strategy.default(template(requests)) ?? {};

    const errors = (templates?.strategy.validate(object) ?? []).map(
      (error) => `${error.field}: ${formatFieldError(error)}`,
    );

    expect(errors).toHaveLength(told.length);
    for (const [index, text] of told.entries()) {
      const [field = '', words = ''] = text.split(': ');
      expect(errors[index]).toContain(field);
      expect(errors[index]).toContain(words);
    }
  });

  it('does not change', () => {
    const before = templates?.strategy.default(template([{ name: 'gpu', exactly: EXACTLY }])) ?? {};
    const after = templates?.strategy.default(template([{ name: 'other', exactly: EXACTLY }])) ?? {};

    expect((templates?.strategy.validateUpdate(after, before) ?? []).map(({ field }) => field)).toContain('spec');
  });
});

function template(requests: readonly JsonValue[]): JsonObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: 'gpu', namespace: 'd' },
    spec: { spec: { devices: { requests: [...requests] } } },
  };
}
