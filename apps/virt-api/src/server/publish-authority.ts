import { isNotFound, type KubeClient } from '@smalt/kube';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import type { PatchOperation } from '@smalt/vm-admission';

import { SUBRESOURCE_GROUP, SUBRESOURCE_VERSIONS } from '../subresources/find-subresource.ts';
import { MUTATING_NAME, VALIDATING_NAME } from '../webhooks/webhook-configurations.ts';

const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1';
const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

/** Where API servers are told whom to trust when they call us. */
const AUTHORITY_PATHS: readonly string[] = [
  `${WEBHOOKS}/mutatingwebhookconfigurations/${MUTATING_NAME}`,
  `${WEBHOOKS}/validatingwebhookconfigurations/${VALIDATING_NAME}`,
  ...SUBRESOURCE_VERSIONS.map((version) => `${API_SERVICES}/${version}.${SUBRESOURCE_GROUP}`),
];

/** Tells API servers whom to trust, where they do not know yet. Resolves with the objects that there are not. */
export async function publishAuthority(
  client: Pick<KubeClient, 'request'>,
  authority: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const path of AUTHORITY_PATHS) {
    try {
      const object = await client.request({ method: 'GET', path, signal });
      const operations = planBundle(object, Buffer.from(authority).toString('base64'));
      if (operations.length > 0) await patch(client, path, operations, signal);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      missing.push(path.slice(path.lastIndexOf('/') + 1));
    }
  }
  return missing;
}

/** The patch that makes an object trust an authority; empty when it does already. */
export function planBundle(object: JsonValue, bundle: string): readonly PatchOperation[] {
  if (!isJsonObject(object)) return [];
  const { webhooks, spec } = object;
  if (isJsonArray(webhooks)) {
    return webhooks.flatMap((webhook, index) => (isJsonObject(webhook) ? webhookPatch(webhook, index, bundle) : []));
  }
  // An APIService without a service is served by the API server itself.
  if (!isJsonObject(spec) || !isJsonObject(spec['service']) || spec['caBundle'] === bundle) return [];
  return [{ op: 'add', path: '/spec/caBundle', value: bundle }];
}

function webhookPatch({ name, clientConfig }: JsonObject, index: number, bundle: string): readonly PatchOperation[] {
  if (!isJsonObject(clientConfig) || clientConfig['caBundle'] === bundle) return [];
  return [
    // Somebody may have put another webhook in its place.
    { op: 'test', path: `/webhooks/${index}/name`, value: name ?? null },
    { op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: bundle },
  ];
}

async function patch(
  client: Pick<KubeClient, 'request'>,
  path: string,
  operations: readonly PatchOperation[],
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(operations);
  await client.request({ method: 'PATCH', path, body, contentType: 'application/json-patch+json', signal });
}
