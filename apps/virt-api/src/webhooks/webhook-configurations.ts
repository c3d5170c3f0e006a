import type { JsonObject } from '@smalt/json';

import { WEBHOOK_ENDPOINTS, type WebhookEndpoint } from './webhook-endpoints.ts';

/** The Service that virt-api is reached by. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
}

export const MUTATING_NAME = 'virt-api-mutator';
export const VALIDATING_NAME = 'virt-api-validator';
const TIMEOUT_SECONDS = 10;

/** The objects by which an API server knows our webhooks, without the authority that vouches for us. */
export function webhookConfigurations(service: ServiceReference): readonly JsonObject[] {
  return [
    configuration('MutatingWebhookConfiguration', MUTATING_NAME, webhooksOf('mutating', service)),
    configuration('ValidatingWebhookConfiguration', VALIDATING_NAME, webhooksOf('validating', service)),
  ];
}

function configuration(kind: string, name: string, webhooks: readonly JsonObject[]): JsonObject {
  const metadata = { name, labels: { 'kubevirt.io': name } };
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata, webhooks: [...webhooks] };
}

function webhooksOf(kind: WebhookEndpoint['kind'], service: ServiceReference): readonly JsonObject[] {
  return WEBHOOK_ENDPOINTS.filter((endpoint) => endpoint.kind === kind).map((endpoint) => webhook(endpoint, service));
}

function webhook(endpoint: WebhookEndpoint, service: ServiceReference): JsonObject {
  const { name, path, group, versions, resources, operations, hasSideEffects, matchCondition } = endpoint;
  return {
    name,
    admissionReviewVersions: ['v1'],
    clientConfig: { service: { ...service, path } },
    rules: [{ apiGroups: [group], apiVersions: [...versions], operations: [...operations], resources: [...resources] }],
    failurePolicy: 'Fail',
    sideEffects: hasSideEffects === true ? 'NoneOnDryRun' : 'None',
    timeoutSeconds: TIMEOUT_SECONDS,
    ...(matchCondition === undefined ? {} : { matchConditions: [{ ...matchCondition }] }),
  };
}
