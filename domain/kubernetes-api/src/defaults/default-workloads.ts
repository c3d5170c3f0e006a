import type { JsonObject } from '@smalt/json';

import { fillIn, isMissing, withChild, withField, withItems } from '../edit-object.ts';
import { isGivenAt, objectAt, textAt } from '../read-path.ts';
import { defaultPodTemplate } from './default-pod-spec.ts';
import { defaultVolumeClaim } from './default-storage.ts';

const MAX_INT32 = 2 ** 31 - 1;

export function defaultDeployment(object: JsonObject): JsonObject {
  return withChild(object, 'spec', (spec) =>
    withChild(
      withChild(
        fillIn(spec, { replicas: 1, strategy: {}, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
        'strategy',
        (strategy) => rollingUpdate(strategy, { maxUnavailable: '25%', maxSurge: '25%' }),
      ),
      'template',
      defaultPodTemplate,
    ),
  );
}

export function defaultDaemonSet(object: JsonObject): JsonObject {
  return withChild(object, 'spec', (spec) =>
    withChild(
      withChild(fillIn(spec, { updateStrategy: {}, revisionHistoryLimit: 10 }), 'updateStrategy', (strategy) =>
        rollingUpdate(strategy, { maxUnavailable: 1, maxSurge: 0 }),
      ),
      'template',
      defaultPodTemplate,
    ),
  );
}

export function defaultReplicaSet(object: JsonObject): JsonObject {
  return withChild(object, 'spec', (spec) => withChild(fillIn(spec, { replicas: 1 }), 'template', defaultPodTemplate));
}

export function defaultStatefulSet(object: JsonObject): JsonObject {
  return withChild(
    object,
    'spec',
    (spec) =>
      fillIn(spec, {
        podManagementPolicy: 'OrderedReady',
        replicas: 1,
        revisionHistoryLimit: 10,
        updateStrategy: {},
        persistentVolumeClaimRetentionPolicy: {},
      }),
    (spec) => withChild(spec, 'updateStrategy', (strategy) => rollingUpdate(strategy, { partition: 0 })),
    (spec) =>
      withChild(spec, 'persistentVolumeClaimRetentionPolicy', (policy) =>
        fillIn(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
      ),
    (spec) => withChild(spec, 'template', defaultPodTemplate),
    (spec) =>
      withItems(spec, 'volumeClaimTemplates', (claim) =>
        defaultVolumeClaim(fillIn(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' })),
      ),
  );
}

export function defaultReplicationController(object: JsonObject): JsonObject {
  const labels = objectAt(object, 'spec', 'template', 'metadata', 'labels');
  const hasLabels = Object.keys(labels).length > 0;
  const labelled = hasLabels ? withChild(object, 'metadata', (metadata) => fillIn(metadata, { labels })) : object;
  return withChild(labelled, 'spec', (spec) =>
    withChild(
      fillIn(spec, hasLabels ? { replicas: 1, selector: labels } : { replicas: 1 }),
      'template',
      defaultPodTemplate,
    ),
  );
}

export function defaultJob(object: JsonObject): JsonObject {
  return withChild(object, 'spec', defaultJobSpec);
}

export function defaultCronJob(object: JsonObject): JsonObject {
  return withChild(object, 'spec', (spec) =>
    withChild(
      fillIn(spec, {
        concurrencyPolicy: 'Allow',
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      }),
      'jobTemplate',
      // What is missing of a job is filled in when one is made of the template.
      (template) => withChild(template, 'spec', defaultJobTemplate),
    ),
  );
}

function defaultJobSpec(spec: JsonObject): JsonObject {
  // Neither given means one run; completions alone may be left out on purpose, for a work queue.
  const isSingle = isMissing(spec, 'completions') && isMissing(spec, 'parallelism');
  const filled = fillIn(spec, {
    ...(isSingle ? { completions: 1 } : {}),
    parallelism: 1,
    backoffLimit: isGivenAt(spec, 'backoffLimitPerIndex') ? MAX_INT32 : 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: isGivenAt(spec, 'podFailurePolicy') ? 'Failed' : 'TerminatingOrFailed',
  });
  return defaultJobTemplate(filled);
}

function defaultJobTemplate(spec: JsonObject): JsonObject {
  return withChild(
    withChild(spec, 'podFailurePolicy', (policy) =>
      withItems(policy, 'rules', (rule) =>
        withItems(rule, 'onPodConditions', (condition) =>
          textAt(condition, 'status') === '' ? withField(condition, 'status', 'True') : condition,
        ),
      ),
    ),
    'template',
    defaultPodTemplate,
  );
}

function rollingUpdate(strategy: JsonObject, defaults: JsonObject): JsonObject {
  const typed = textAt(strategy, 'type') === '' ? withField(strategy, 'type', 'RollingUpdate') : strategy;
  if (textAt(typed, 'type') !== 'RollingUpdate') return typed;
  return withChild(fillIn(typed, { rollingUpdate: {} }), 'rollingUpdate', (update) => fillIn(update, defaults));
}
