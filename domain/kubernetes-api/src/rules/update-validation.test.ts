import type { JsonObject } from '@smalt/json';
import { formatFieldError, type Strategy } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { builtInResources } from '../built-in-resources.ts';

const resources = builtInResources();

describe('a changed object', () => {
  it.each<{ kind: string; old: JsonObject; changed: JsonObject; errors: readonly string[] }>([
    {
      kind: 'Deployment',
      old: { spec: workload() },
      changed: { spec: { ...workload(), replicas: 5 } },
      errors: [],
    },
    {
      kind: 'Deployment',
      old: { spec: workload() },
      changed: { spec: { ...workload('api'), replicas: 5 } },
      errors: ['spec.selector: Invalid value: {"matchLabels":{"app":"api"}}: field is immutable'],
    },
    { kind: 'Pod', old: { spec: podSpec() }, changed: { spec: podSpec({ image: 'httpd' }) }, errors: [] },
    {
      kind: 'Pod',
      old: { spec: podSpec() },
      changed: { spec: podSpec({ command: ['sh'] }) },
      errors: [
        'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
      ],
    },
    {
      kind: 'ConfigMap',
      old: { data: { a: '1' }, immutable: true },
      changed: { data: { a: '2' } },
      errors: [
        'immutable: Forbidden: field is immutable when `immutable` is set',
        'data: Forbidden: field is immutable when `immutable` is set',
      ],
    },
    {
      kind: 'Secret',
      old: { type: 'Opaque' },
      changed: { type: 'other' },
      errors: ['type: Invalid value: "other": field is immutable'],
    },
    {
      kind: 'RoleBinding',
      old: { roleRef: { kind: 'Role', name: 'a' } },
      changed: { roleRef: { kind: 'Role', name: 'b' } },
      errors: [
        'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"b"}: cannot change roleRef',
      ],
    },
    {
      kind: 'PriorityClass',
      old: { value: 1 },
      changed: { value: 2 },
      errors: ['value: Forbidden: may not be changed in an update.'],
    },
    {
      kind: 'StatefulSet',
      old: { spec: { ...workload(), serviceName: 'a' } },
      changed: { spec: { ...workload(), serviceName: 'b' } },
      errors: [
        "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ],
    },
  ])('of kind $kind is told $errors', ({ kind, old, changed, errors }) => {
    const { strategy, isNamespaced } = resourceOf(kind);
    const metadata = { name: 'web', resourceVersion: '1', ...(isNamespaced ? { namespace: 'shop' } : {}) };

    const found = strategy.validateUpdate(
      strategy.default({ ...changed, metadata }),
      strategy.default({ ...old, metadata }),
    );

    expect(found.map(formatFieldError)).toEqual(errors);
  });
});

function resourceOf(kind: string): { readonly strategy: Strategy; readonly isNamespaced: boolean } {
  const resource = resources.find((candidate) => candidate.kind === kind);
  if (resource === undefined) throw new Error(`no resource serves ${kind}`);
  return resource;
}

function podSpec(changes: JsonObject = {}): JsonObject {
  return { containers: [{ name: 'web', image: 'nginx', ...changes }] };
}

function workload(app = 'web'): JsonObject {
  return {
    selector: { matchLabels: { app } },
    template: { metadata: { labels: { app } }, spec: podSpec() },
  };
}
