import type { JsonObject } from '@smalt/json';
import { expect, it } from 'vitest';

import { configMaps, machines } from './fixtures/test-resources.ts';
import { nextGeneration } from './next-generation.ts';
import { policyOf } from './resource-policy.ts';

const DEPLOYMENTS = configMaps({ group: 'apps', kind: 'Deployment', plural: 'deployments', hasStatus: true });
const WEBHOOKS = configMaps({
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
});

it.each<{ what: string; resource: ReturnType<typeof machines>; change: JsonObject; generation: number | undefined }>([
  { what: 'the spec of a custom resource', resource: machines(), change: { spec: { a: 2 } }, generation: 4 },
  { what: 'any other field of a custom resource', resource: machines(), change: { extra: 1 }, generation: 4 },
  { what: 'the status of a custom resource', resource: machines(), change: { status: { b: 2 } }, generation: 3 },
  {
    what: 'the status of a custom resource without a subresource for it',
    resource: machines({ hasStatus: false }),
    change: { status: { b: 2 } },
    generation: 4,
  },
  { what: 'metadata', resource: machines(), change: { metadata: { generation: 3, labels: {} } }, generation: 3 },
  { what: 'the spec of a deployment', resource: DEPLOYMENTS, change: { spec: { a: 2 } }, generation: 4 },
  { what: 'anything else of a deployment', resource: DEPLOYMENTS, change: { extra: 1 }, generation: 3 },
  { what: 'the webhooks of a configuration', resource: WEBHOOKS, change: { webhooks: [] }, generation: 4 },
])('after a change of $what is $generation', ({ resource, change, generation }) => {
  const old = { metadata: { generation: 3 }, spec: { a: 1 }, status: { b: 1 } };

  expect(nextGeneration({ resource, policy: policyOf(resource) }, { ...old, ...change }, old)).toBe(generation);
});

it('is nothing for a kind that has none', () => {
  const old = { metadata: {}, data: { a: '1' } };
  const resource = configMaps();

  const generation = nextGeneration({ resource, policy: policyOf(resource) }, { ...old, data: {} }, old);

  expect(generation).toBeUndefined();
});
