import type { JsonObject } from '@smalt/json';

import type { AdmissionReview } from '../registry/admission.ts';

const WARNINGS: ReadonlyMap<string, string> = new Map([
  ['resourcequotas', 'spec.hard: this server stores quotas and enforces none'],
  ['limitranges', 'spec.limits: this server stores limit ranges and enforces none'],
]);

/** Tells who writes a limit that nobody keeps to it here, as Kubernetes would. The object stays as it is. */
export function warnOfUnenforcedLimits(review: AdmissionReview): JsonObject | undefined {
  const { resource, subresource, operation, object, addWarning } = review;
  const isWritten = operation === 'CREATE' || operation === 'UPDATE';
  if (resource.group !== '' || subresource !== '' || !isWritten) return object;
  const warning = WARNINGS.get(resource.plural);
  if (warning !== undefined) addWarning(warning);
  return object;
}
