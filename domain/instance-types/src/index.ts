export { checkRequirements } from './check/check-requirements.ts';
export { instancetypeWarnings, validateInstancetype } from './check/validate-instancetype.ts';
export { validateMatchers } from './check/validate-matchers.ts';
export { preferenceWarnings, validatePreference } from './check/validate-preference.ts';
export { expandTemplate, type Expansion, type ExpansionSettings } from './expand-template.ts';
export { inferenceSource, inferFromLabels, withInference, type Inference, type InferenceSource } from './find/infer.ts';
export {
  annotationOf,
  referencedBy,
  unknownKindMessage,
  type AnyInstancetype,
  type AnyPreference,
  type ChosenPart,
  type Referenced,
} from './find/matcher.ts';
export { isRevisionOf, revisionOf, specInRevision, type KeptRevision, type SpecByPart } from './find/revision.ts';
export { statusReference, type StatusReference } from './find/status-reference.ts';
export type { ChosenSpecs, InstanceTemplate } from './instance-template.ts';
export { preferEarly } from './prefer/prefer-early.ts';
