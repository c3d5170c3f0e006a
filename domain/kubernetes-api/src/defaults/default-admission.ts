import type { JsonObject } from '@smalt/json';

import { fillIn, withChild, withItems } from '../edit-object.ts';

const HTTPS_PORT = 443;

export function defaultValidatingWebhooks(object: JsonObject): JsonObject {
  return withItems(object, 'webhooks', defaultWebhook);
}

export function defaultMutatingWebhooks(object: JsonObject): JsonObject {
  return withItems(object, 'webhooks', defaultWebhook, (webhook) => fillIn(webhook, { reinvocationPolicy: 'Never' }));
}

export function defaultAdmissionPolicy(object: JsonObject): JsonObject {
  return withChild(object, 'spec', (spec) =>
    withChild(fillIn(spec, { failurePolicy: 'Fail' }), 'matchConstraints', defaultMatchResources),
  );
}

export function defaultAdmissionPolicyBinding(object: JsonObject): JsonObject {
  return withChild(object, 'spec', (spec) => withChild(spec, 'matchResources', defaultMatchResources));
}

/** Fills in a reference to the service behind a webhook or an aggregated API. */
export function defaultServiceReference(reference: JsonObject): JsonObject {
  return fillIn(reference, { port: HTTPS_PORT });
}

function defaultWebhook(webhook: JsonObject): JsonObject {
  return withChild(
    withItems(
      fillIn(webhook, {
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
      }),
      'rules',
      defaultRule,
    ),
    'clientConfig',
    (config) => withChild(config, 'service', defaultServiceReference),
  );
}

function defaultMatchResources(match: JsonObject): JsonObject {
  const filled = fillIn(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
  return withItems(withItems(filled, 'resourceRules', defaultRule), 'excludeResourceRules', defaultRule);
}

function defaultRule(rule: JsonObject): JsonObject {
  return fillIn(rule, { scope: '*' });
}
