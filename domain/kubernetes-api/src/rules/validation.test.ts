import type { JsonObject } from '@smalt/json';
import { formatFieldError, type Strategy } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { builtInResources } from '../built-in-resources.ts';
import { subresourceStrategy } from '../subresource-strategy.ts';

const resources = builtInResources();

describe('a new object', () => {
  it.each<{ kind: string; object: JsonObject; errors: readonly string[] }>([
    { kind: 'Pod', object: { spec: podSpec() }, errors: [] },
    { kind: 'Pod', object: {}, errors: ['spec.containers: Required value'] },
    {
      kind: 'Pod',
      object: { spec: podSpec({ name: 'Web', image: '' }) },
      errors: [
        `spec.containers[0].name: Invalid value: "Web": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
        'spec.containers[0].image: Required value',
      ],
    },
    {
      kind: 'Pod',
      object: { spec: podSpec({ ports: [{ containerPort: 70_000 }], volumeMounts: [{ name: 'v', mountPath: '/v' }] }) },
      errors: [
        'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.containers[0].volumeMounts[0].name: Not found: "v"',
      ],
    },
    {
      kind: 'Pod',
      object: { spec: podSpec({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }) },
      errors: [
        'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
      ],
    },
    {
      kind: 'Pod',
      object: { spec: podSpec({ imagePullPolicy: 'Sometimes' }) },
      errors: [
        'spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
      ],
    },
    {
      kind: 'Pod',
      object: { spec: { ...podSpec(), restartPolicy: 'Never!' } },
      errors: ['spec.restartPolicy: Unsupported value: "Never!": supported values: "Always", "OnFailure", "Never"'],
    },
    {
      kind: 'Pod',
      object: { spec: podSpec({ livenessProbe: {} }) },
      errors: ['spec.containers[0].livenessProbe: Required value: must specify a handler type'],
    },
    {
      kind: 'Pod',
      object: { spec: podSpec({ env: [{ name: '' }, { name: 'a=b' }] }) },
      errors: [
        'spec.containers[0].env[0].name: Required value',
        `spec.containers[0].env[1].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      ],
    },
    {
      kind: 'Pod',
      object: { spec: { ...podSpec(), volumes: [{ name: 'v', secret: {}, emptyDir: {} }] } },
      errors: [
        'spec.volumes[0].emptyDir: Forbidden: may not specify more than 1 volume type',
        'spec.volumes[0].secret.secretName: Required value',
      ],
    },
    {
      kind: 'Pod',
      object: { spec: { containers: [container(), container()] } },
      errors: ['spec.containers[1].name: Duplicate value: "web"'],
    },
    { kind: 'Deployment', object: { spec: workload() }, errors: [] },
    {
      kind: 'Deployment',
      object: { spec: { ...workload(), selector: { matchLabels: { app: 'other' } } } },
      errors: [
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      ],
    },
    {
      kind: 'Deployment',
      object: {
        spec: {
          ...workload(),
          replicas: -1,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
        },
      },
      errors: [
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
      ],
    },
    {
      kind: 'Deployment',
      object: { spec: { ...workload(), selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } } },
      errors: [
        "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      ],
    },
    {
      kind: 'StatefulSet',
      object: { spec: { ...workload(), serviceName: 'web', podManagementPolicy: 'Random' } },
      errors: ["spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'"],
    },
    {
      kind: 'Job',
      object: { spec: { template: { spec: podSpec() }, selector: {} } },
      errors: ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    },
    {
      kind: 'CronJob',
      object: {
        spec: {
          schedule: '* * *',
          jobTemplate: { spec: { template: { spec: { ...podSpec(), restartPolicy: 'Never' } } } },
        },
      },
      errors: ['spec.schedule: Invalid value: "* * *": expected exactly 5 fields, found 3: [* * *]'],
    },
    {
      kind: 'CronJob',
      object: {
        spec: {
          schedule: '61 * * * *',
          jobTemplate: { spec: { template: { spec: { ...podSpec(), restartPolicy: 'Never' } } } },
        },
      },
      errors: ['spec.schedule: Invalid value: "61 * * * *": end of range (61) above maximum (59): 61'],
    },
    { kind: 'Service', object: { spec: { ports: [{ port: 80 }] } }, errors: [] },
    { kind: 'Service', object: {}, errors: ['spec.ports: Required value'] },
    {
      kind: 'Service',
      object: { spec: { type: 'Magic', ports: [{ port: 0 }, { port: 81, name: 'b', nodePort: 1 }] } },
      errors: [
        'spec.type: Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
        'spec.ports[0].name: Required value',
        'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
    },
    {
      kind: 'ConfigMap',
      object: { data: { 'a b': '1', both: '' }, binaryData: { both: 'AA==' } },
      errors: [
        "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        'data[both]: Invalid value: "both": duplicate of key present in binaryData',
      ],
    },
    {
      kind: 'Secret',
      object: { type: 'kubernetes.io/tls' },
      errors: ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    },
    {
      kind: 'Role',
      object: { rules: [{ verbs: [], resources: ['pods'] }] },
      errors: [
        'rules[0].verbs: Required value: verbs must contain at least one value',
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
      ],
    },
    {
      kind: 'ClusterRoleBinding',
      object: { roleRef: { kind: 'Role', name: '' }, subjects: [{ kind: 'ServiceAccount', name: 'a' }] },
      errors: [
        'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
        'roleRef.name: Required value',
        'subjects[0].namespace: Required value',
      ],
    },
    {
      kind: 'Lease',
      object: { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
      errors: [
        'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
        'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
      ],
    },
    {
      kind: 'PriorityClass',
      object: { value: 2_000_000_000 },
      errors: ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
    },
    {
      kind: 'PodDisruptionBudget',
      object: { spec: { minAvailable: '150%', selector: {} } },
      errors: ['spec.minAvailable: Invalid value: "150%": must not be greater than 100%'],
    },
    {
      kind: 'ResourceQuota',
      object: { spec: { hard: { gold: '1', pods: '1500m', cpu: '-1' } } },
      errors: [
        'spec.hard[gold]: Invalid value: "gold": must be a standard resource for quota',
        'spec.hard[pods]: Invalid value: "1500m": must be an integer',
        'spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0',
      ],
    },
    {
      kind: 'ValidatingWebhookConfiguration',
      object: {
        webhooks: [{ name: 'a.example.com', clientConfig: {}, timeoutSeconds: 40, admissionReviewVersions: ['v1'] }],
      },
      errors: [
        'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
        'webhooks[0].timeoutSeconds: Invalid value: 40: the timeout value must be between 1 and 30 seconds',
        'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
      ],
    },
    {
      kind: 'PersistentVolumeClaim',
      object: { spec: { accessModes: ['Any'] } },
      errors: [
        'spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        'spec.resources[storage]: Required value',
      ],
    },
    {
      kind: 'CertificateSigningRequest',
      object: {
        spec: { request: pemRequest(), signerName: 'example.com/x', usages: ['client auth'], expirationSeconds: 60 },
      },
      errors: [
        'spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 600 seconds (10 minutes)',
      ],
    },
    {
      kind: 'Ingress',
      object: {
        spec: {
          rules: [
            {
              host: 'a.b',
              http: {
                paths: [{ path: 'x', pathType: 'Exact', backend: { service: { name: 'w', port: { number: 1 } } } }],
              },
            },
          ],
        },
      },
      errors: ['spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path'],
    },
    {
      kind: 'HorizontalPodAutoscaler',
      object: { spec: { minReplicas: 5, maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'web' } } },
      errors: ['spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`'],
    },
    {
      kind: 'Node',
      object: { spec: { taints: [{ key: 'a', effect: 'Sometimes' }] } },
      errors: [
        'spec.taints[0].effect: Unsupported value: "Sometimes": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    },
  ])('of kind $kind is told $errors', ({ kind, object, errors }) => {
    const { strategy, isNamespaced } = resourceOf(kind);
    const metadata = { name: 'web', ...(isNamespaced ? { namespace: 'shop' } : {}) };

    const found = strategy.validate(strategy.default({ ...object, metadata }));

    expect(found.map(formatFieldError)).toEqual(errors);
  });

  it('with a bad name is refused for it', () => {
    const { strategy } = resourceOf('Namespace');

    const [error] = strategy.validate(strategy.default({ metadata: { name: 'a.b' } }));

    expect(error && formatFieldError(error)).toBe('metadata.name: Invalid value: "a.b": must not contain dots');
  });
});

it('asks for tokens of at least ten minutes', () => {
  const strategy = subresourceStrategy({ group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' });

  const found = strategy?.validate({
    metadata: { name: 'a', namespace: 'b' },
    spec: { audiences: [], expirationSeconds: 599 },
  });

  expect(found?.map(formatFieldError)).toEqual([
    'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
  ]);
});

function resourceOf(kind: string): { readonly strategy: Strategy; readonly isNamespaced: boolean } {
  const resource = resources.find((candidate) => candidate.kind === kind);
  if (resource === undefined) throw new Error(`no resource serves ${kind}`);
  return resource;
}

function container(changes: JsonObject = {}): JsonObject {
  return { name: 'web', image: 'nginx', ...changes };
}

function podSpec(changes: JsonObject = {}): JsonObject {
  return { containers: [container(changes)] };
}

function workload(app = 'web'): JsonObject {
  return {
    selector: { matchLabels: { app } },
    template: { metadata: { labels: { app } }, spec: podSpec() },
  };
}

function pemRequest(): string {
  const pem = '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n';
  return Buffer.from(pem).toString('base64');
}
