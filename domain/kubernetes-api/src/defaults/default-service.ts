import type { JsonObject } from '@smalt/json';

import { fillIn, isMissing, withChild, withField, withItems } from '../edit-object.ts';
import { textAt } from '../read-path.ts';

const AFFINITY_SECONDS = 10_800;

export function defaultService(object: JsonObject): JsonObject {
  return withChild(object, 'spec', defaultServiceSpec);
}

export function defaultEndpoints(object: JsonObject): JsonObject {
  return withItems(object, 'subsets', (subset) =>
    withItems(subset, 'ports', (port) => fillIn(port, { protocol: 'TCP' })),
  );
}

export function defaultEndpointSlice(object: JsonObject): JsonObject {
  return withItems(object, 'ports', (port) => fillIn(port, { name: '', protocol: 'TCP' }));
}

function defaultServiceSpec(spec: JsonObject): JsonObject {
  const filled = fillIn(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  const type = textAt(filled, 'type');
  const isPublished = type === 'NodePort' || type === 'LoadBalancer';
  return [
    defaultAffinity,
    (given: JsonObject): JsonObject => withItems(given, 'ports', defaultPort),
    (given: JsonObject): JsonObject => (isPublished ? fillIn(given, { externalTrafficPolicy: 'Cluster' }) : given),
    (given: JsonObject): JsonObject =>
      isPublished || type === 'ClusterIP' ? fillIn(given, { internalTrafficPolicy: 'Cluster' }) : given,
    (given: JsonObject): JsonObject =>
      type === 'LoadBalancer' ? fillIn(given, { allocateLoadBalancerNodePorts: true }) : given,
  ].reduce((result, change) => change(result), filled);
}

function defaultAffinity(spec: JsonObject): JsonObject {
  if (textAt(spec, 'sessionAffinity') !== 'ClientIP') return spec;
  return withChild(fillIn(spec, { sessionAffinityConfig: {} }), 'sessionAffinityConfig', (config) =>
    withChild(fillIn(config, { clientIP: {} }), 'clientIP', (client) =>
      fillIn(client, { timeoutSeconds: AFFINITY_SECONDS }),
    ),
  );
}

function defaultPort(port: JsonObject): JsonObject {
  const filled = fillIn(port, { protocol: 'TCP' });
  const target = filled['targetPort'];
  const isUnset = isMissing(filled, 'targetPort') || target === 0 || target === '';
  return isUnset ? withField(filled, 'targetPort', filled['port'] ?? 0) : filled;
}
