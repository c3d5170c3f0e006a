import { isSameJson, type JsonObject } from '@smalt/json';
import { forbidden, type FieldError } from '@smalt/resource';

import { podColumns } from '../columns/pod-columns.ts';
import { applyLabelKeys } from '../defaults/apply-label-keys.ts';
import { defaultSinglePodSpec } from '../defaults/default-pod-spec.ts';
import { withChild, withField, withItems, withoutField } from '../edit-object.ts';
import { isTrueAt, itemsAt, numberAt, objectAt, textAt } from '../read-path.ts';
import { validatePodSpec } from '../validation/validate-pod-spec.ts';
import type { KindRules } from './kind-rules.ts';
import { qosClassOf } from './qos-class.ts';

const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

export const podRules: KindRules = {
  columns: podColumns,
  selectableFields: {
    'spec.nodeName': (pod) => textAt(pod, 'spec', 'nodeName'),
    'spec.restartPolicy': (pod) => textAt(pod, 'spec', 'restartPolicy'),
    'spec.schedulerName': (pod) => textAt(pod, 'spec', 'schedulerName'),
    'spec.serviceAccountName': (pod) => textAt(pod, 'spec', 'serviceAccountName'),
    'spec.hostNetwork': (pod) => String(isTrueAt(pod, 'spec', 'hostNetwork')),
    'status.phase': (pod) => textAt(pod, 'status', 'phase'),
    'status.podIP': (pod) => textAt(pod, 'status', 'podIP'),
    'status.nominatedNodeName': (pod) => textAt(pod, 'status', 'nominatedNodeName'),
  },
  default: (pod: JsonObject): JsonObject => withChild(pod, 'spec', defaultSinglePodSpec),
  prepareForCreate: (pod: JsonObject): JsonObject =>
    withField(applyLabelKeys(pod), 'status', { phase: 'Pending', qosClass: qosClassOf(objectAt(pod, 'spec')) }),
  validate: (pod: JsonObject): readonly FieldError[] => validatePodSpec(objectAt(pod, 'spec'), 'spec'),
  validateUpdate: (pod: JsonObject, old: JsonObject): readonly FieldError[] => {
    if (isSameJson(comparable(pod, old), comparable(old, old)) && keepsTolerations(pod, old)) return [];
    return [forbidden('spec', `pod updates may not change fields other than ${UPDATABLE}`)];
  },
};

/** The spec of a pod without what may change: those fields are taken from the old one. */
function comparable(pod: JsonObject, old: JsonObject): JsonObject {
  const spec = withoutField(withoutField(objectAt(pod, 'spec'), 'activeDeadlineSeconds'), 'tolerations');
  const images = ['containers', 'initContainers'].reduce(
    (result, list) => withItems(result, list, (container) => withoutField(container, 'image')),
    spec,
  );
  const mayShorten = numberAt(old, 'spec', 'terminationGracePeriodSeconds') < 0;
  return mayShorten ? withoutField(images, 'terminationGracePeriodSeconds') : images;
}

function keepsTolerations(pod: JsonObject, old: JsonObject): boolean {
  const now = itemsAt(pod, 'spec', 'tolerations');
  return itemsAt(old, 'spec', 'tolerations').every((toleration) =>
    now.some((other) => isSameJson({ ...other, tolerationSeconds: null }, { ...toleration, tolerationSeconds: null })),
  );
}
