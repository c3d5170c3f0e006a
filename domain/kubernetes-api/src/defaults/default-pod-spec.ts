import { isJsonObject, type JsonObject } from '@smalt/json';

import { fillIn, isMissing, withChild, withField, withItems } from '../edit-object.ts';
import { isTrueAt, objectAt, textAt } from '../read-path.ts';
import { defaultFieldRef } from './default-field-ref.ts';
import { defaultPullPolicy } from './default-pull-policy.ts';
import { defaultVolume } from './default-volume.ts';

const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'] as const;

/** Fills in the spec of a pod, or of the pods that a template makes. */
function defaultPodSpec(spec: JsonObject): JsonObject {
  let result = fillIn(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  // The old name of the field is shown beside the new one for as long as v1 lives.
  const account = textAt(result, 'serviceAccountName') || textAt(result, 'serviceAccount');
  if (account !== '') result = withField(withField(result, 'serviceAccountName', account), 'serviceAccount', account);
  result = withItems(result, 'volumes', defaultVolume);
  for (const list of CONTAINER_LISTS) {
    result = withItems(result, list, defaultContainer);
    if (isTrueAt(result, 'hostNetwork')) {
      result = withItems(result, list, (container) => withItems(container, 'ports', defaultHostPort));
    }
  }
  return result;
}

/** Fills in a template of pods. */
export function defaultPodTemplate(template: JsonObject): JsonObject {
  return withChild(template, 'spec', defaultPodSpec);
}

/** Fills in the spec of a single pod: what it may use it also asks for. */
export function defaultSinglePodSpec(spec: JsonObject): JsonObject {
  const result = fillIn(defaultPodSpec(spec), { enableServiceLinks: true });
  return withItems(withItems(result, 'containers', requestLimits), 'initContainers', requestLimits);
}

function defaultContainer(container: JsonObject): JsonObject {
  const result = fillIn(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: defaultPullPolicy(textAt(container, 'image')),
  });
  return withChild(
    ['livenessProbe', 'readinessProbe', 'startupProbe'].reduce(
      (changed, name) => withChild(changed, name, defaultProbe),
      withItems(withItems(result, 'ports', defaultPort), 'env', defaultEnv),
    ),
    'lifecycle',
    (lifecycle) => withChild(withChild(lifecycle, 'postStart', defaultHandler), 'preStop', defaultHandler),
  );
}

function defaultPort(port: JsonObject): JsonObject {
  return fillIn(port, { protocol: 'TCP' });
}

function defaultHostPort(port: JsonObject): JsonObject {
  return isMissing(port, 'hostPort') && !isMissing(port, 'containerPort')
    ? withField(port, 'hostPort', port['containerPort'] ?? 0)
    : port;
}

function defaultEnv(variable: JsonObject): JsonObject {
  return withChild(variable, 'valueFrom', (source) =>
    withChild(withChild(source, 'fieldRef', defaultFieldRef), 'fileKeyRef', (file) =>
      fillIn(file, { optional: false }),
    ),
  );
}

function defaultProbe(probe: JsonObject): JsonObject {
  const result = fillIn(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  return withChild(defaultHandler(result), 'grpc', (action) => fillIn(action, { service: '' }));
}

function defaultHandler(handler: JsonObject): JsonObject {
  return withChild(handler, 'httpGet', (action) => fillIn(action, { path: '/', scheme: 'HTTP' }));
}

function requestLimits(container: JsonObject): JsonObject {
  const limits = objectAt(container, 'resources', 'limits');
  if (Object.keys(limits).length === 0) return container;
  return withChild(container, 'resources', (resources) => {
    const requests = resources['requests'];
    return withField(resources, 'requests', fillIn(isJsonObject(requests) ? requests : {}, limits));
  });
}
