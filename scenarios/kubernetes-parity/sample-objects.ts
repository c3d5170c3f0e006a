import type { JsonObject, JsonValue } from '@smalt/json';

export function configMap(name: string, data: JsonObject = { a: '1' }, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

export function secret(name: string, rest: JsonObject = { stringData: { password: 'x' } }): JsonObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...rest };
}

export function pod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  const containers = [{ name: 'main', image: 'registry.local/app:1' }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, spec: { containers, ...spec } };
}

export function deployment(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'registry.local/app:1' }] },
      },
      ...spec,
    },
  };
}

export function service(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec },
  };
}

export function lease(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name },
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, ...spec },
  };
}

export function event(name: string, rest: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'p', namespace: '{ns}' },
    reason: 'Started',
    message: 'Started container main',
    type: 'Normal',
    count: 3,
    source: { component: 'kubelet', host: 'n1' },
    ...rest,
  };
}

export function role(name: string, rules: JsonValue): JsonObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name }, rules };
}

export function machine(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: '{group}/v1', kind: 'Machine', metadata: { name, ...metadata }, spec: { cpus: 4, ...spec } };
}

/** A definition of another kind of the group of the probes. */
export function definition(plural: string, kind: string, rest: JsonObject = {}): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.{group}` },
    spec: {
      group: '{group}',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
      ...rest,
    },
  };
}
