import { isSameJson, type JsonObject } from '@smalt/json';
import { forbidden, invalid, notSupported, required, type FieldError } from '@smalt/resource';
import { checkDns1123Label } from '@smalt/kubernetes';

import {
  daemonSetColumns,
  deploymentColumns,
  replicaSetColumns,
  statefulSetColumns,
} from '../columns/workload-columns.ts';
import {
  defaultDaemonSet,
  defaultDeployment,
  defaultReplicaSet,
  defaultReplicationController,
  defaultStatefulSet,
} from '../defaults/default-workloads.ts';
import { withoutField } from '../edit-object.ts';
import { isGivenAt, itemsAt, numberAt, objectAt, textAt, valueAt } from '../read-path.ts';
import { checkName, checkNotNegative, checkUnchanged } from '../validation/check-field.ts';
import { validatePodTemplate } from '../validation/validate-pod-spec.ts';
import { isZero, validateAtMostAll, validateIntOrPercent, validateTemplated } from '../validation/validate-workload.ts';
import type { KindRules } from './kind-rules.ts';

const ROLLING = ['Recreate', 'RollingUpdate'];
const ON_DELETE = ['RollingUpdate', 'OnDelete'];
const FREE_FIELDS = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];
const STATEFUL_SET_FORBIDDEN =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
  "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

export const deploymentRules: KindRules = {
  columns: deploymentColumns,
  default: defaultDeployment,
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    return [
      ...checkNotNegative(spec, ['replicas'], 'spec'),
      ...validateTemplated(spec, 'ReplicaSet', 'deployment'),
      ...validateStrategy(spec),
      ...checkNotNegative(spec, ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], 'spec'),
      ...validateDeadline(spec),
    ];
  },
  validateUpdate: (object, old) => checkUnchanged(object, old, 'spec', 'selector'),
};

export const replicaSetRules: KindRules = {
  columns: replicaSetColumns,
  default: defaultReplicaSet,
  selectableFields: { 'status.replicas': (object) => String(numberAt(object, 'status', 'replicas')) },
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    return [
      ...checkNotNegative(spec, ['replicas', 'minReadySeconds'], 'spec'),
      ...validateTemplated(spec, 'ReplicaSet', 'deployment'),
    ];
  },
  validateUpdate: (object, old) => checkUnchanged(object, old, 'spec', 'selector'),
};

export const daemonSetRules: KindRules = {
  columns: daemonSetColumns,
  default: defaultDaemonSet,
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    return [
      ...validateTemplated(spec, 'DaemonSet', 'daemonset'),
      ...checkNotNegative(spec, ['minReadySeconds', 'revisionHistoryLimit'], 'spec'),
      ...validateDaemonStrategy(spec),
    ];
  },
  validateUpdate: (object, old) => checkUnchanged(object, old, 'spec', 'selector'),
};

export const statefulSetRules: KindRules = {
  nameRule: checkDns1123Label,
  columns: statefulSetColumns,
  default: defaultStatefulSet,
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    return [
      ...validateStatefulPolicies(spec),
      ...checkNotNegative(spec, ['replicas', 'minReadySeconds'], 'spec'),
      ...(textAt(spec, 'serviceName') === '' ? [] : checkName(spec, 'serviceName', 'spec', checkDns1123Label)),
      ...validateTemplated(withClaimVolumes(spec), 'StatefulSet', 'statefulset'),
    ];
  },
  validateUpdate: (object, old) => {
    const isSame = isSameJson(fixedFields(object), fixedFields(old));
    return isSame ? [] : [forbidden('spec', STATEFUL_SET_FORBIDDEN)];
  },
};

export const replicationControllerRules: KindRules = {
  columns: replicaSetColumns,
  default: defaultReplicationController,
  selectableFields: { 'status.replicas': (object) => String(numberAt(object, 'status', 'replicas')) },
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    return [
      ...checkNotNegative(spec, ['replicas', 'minReadySeconds'], 'spec'),
      ...(Object.keys(objectAt(spec, 'selector')).length === 0 ? [required('spec.selector')] : []),
      ...(isGivenAt(spec, 'template')
        ? validatePodTemplate(objectAt(spec, 'template'), 'spec.template')
        : [required('spec.template')]),
    ];
  },
};

export const controllerRevisionRules: KindRules = {
  validate: (object) => checkNotNegative(object, ['revision'], '').map((error) => ({ ...error, field: 'revision' })),
  validateUpdate: (object, old) => checkUnchanged(object, old, 'data'),
};

function validateStrategy(spec: JsonObject): readonly FieldError[] {
  const type = textAt(spec, 'strategy', 'type');
  const update = objectAt(spec, 'strategy', 'rollingUpdate');
  if (type === 'Recreate') {
    return isGivenAt(spec, 'strategy', 'rollingUpdate')
      ? [forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  }
  if (type !== 'RollingUpdate') return [notSupported('spec.strategy', objectAt(spec, 'strategy'), ROLLING)];
  const path = 'spec.strategy.rollingUpdate';
  const maxUnavailable = valueAt(update, 'maxUnavailable');
  return [
    ...validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(valueAt(update, 'maxSurge'), `${path}.maxSurge`),
    ...(isZero(maxUnavailable) && isZero(valueAt(update, 'maxSurge'))
      ? [invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...validateAtMostAll(maxUnavailable, `${path}.maxUnavailable`),
  ];
}

function validateDeadline(spec: JsonObject): readonly FieldError[] {
  const deadline = numberAt(spec, 'progressDeadlineSeconds');
  const isTooShort = isGivenAt(spec, 'progressDeadlineSeconds') && deadline <= numberAt(spec, 'minReadySeconds');
  return isTooShort ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')] : [];
}

function validateDaemonStrategy(spec: JsonObject): readonly FieldError[] {
  const type = textAt(spec, 'updateStrategy', 'type');
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate')
    return [notSupported('spec.updateStrategy', objectAt(spec, 'updateStrategy'), ON_DELETE)];
  const update = objectAt(spec, 'updateStrategy', 'rollingUpdate');
  const path = 'spec.updateStrategy.rollingUpdate';
  return ['maxUnavailable', 'maxSurge'].flatMap((name) => [
    ...validateIntOrPercent(valueAt(update, name), `${path}.${name}`),
    ...validateAtMostAll(valueAt(update, name), `${path}.${name}`),
  ]);
}

function validateStatefulPolicies(spec: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const policy = textAt(spec, 'podManagementPolicy');
  if (!['OrderedReady', 'Parallel'].includes(policy)) {
    errors.push(invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  if (!ON_DELETE.includes(textAt(spec, 'updateStrategy', 'type'))) {
    const strategy = objectAt(spec, 'updateStrategy');
    errors.push(invalid('spec.updateStrategy', strategy, "must be 'RollingUpdate' or 'OnDelete'"));
  }
  return errors;
}

/** The spec with a volume for each claim: its pods may mount those by the claim's name. */
function withClaimVolumes(spec: JsonObject): JsonObject {
  const claims = itemsAt(spec, 'volumeClaimTemplates').map((claim) => textAt(claim, 'metadata', 'name'));
  if (claims.length === 0) return spec;
  const template = objectAt(spec, 'template');
  const podSpec = objectAt(template, 'spec');
  const own = itemsAt(podSpec, 'volumes').filter((volume) => !claims.includes(textAt(volume, 'name')));
  const added = claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...spec, template: { ...template, spec: { ...podSpec, volumes: [...added, ...own] } } };
}

function fixedFields(object: JsonObject): JsonObject {
  return FREE_FIELDS.reduce((spec, name) => withoutField(spec, name), objectAt(object, 'spec'));
}
