export {
  matchesFields,
  parseFieldSelector,
  printFieldSelector,
  type FieldRequirement,
  type FieldSelector,
} from './field-selector.ts';
export { humanDuration } from './human-duration.ts';
export { apiVersionOf, type KindReference } from './kind-reference.ts';
export { KubernetesError, type KubernetesErrorCode } from './kubernetes-error.ts';
export {
  labelRequirement,
  labelSelectorFrom,
  matchesLabels,
  printLabelSelector,
  type LabelRequirement,
  type LabelSelector,
  type LabelSelectorObject,
} from './label-selector.ts';
export { microTime } from './micro-time.ts';
export {
  checkConfigMapKey,
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkPathSegmentName,
  checkQualifiedName,
  forPrefix,
  type NameRule,
} from './name-rules.ts';
export type {
  Condition,
  KubernetesList,
  KubernetesObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
  Status,
  StatusCause,
  StatusDetails,
} from './object.ts';
export { parseLabelSelector } from './parse-label-selector.ts';
export { resourcePath, type ResourceLocation } from './resource-path.ts';
export { INITIAL_EVENTS_END, type WatchEvent } from './watch-event.ts';
