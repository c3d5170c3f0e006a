import { isJsonObject, type JsonObject } from '@smalt/json';

import type { AdmissionReview } from '../registry/admission.ts';

/** The spec of the pod that is about to be made; undefined for any other write. */
export function newPodSpec({ resource, subresource, operation, object }: AdmissionReview): JsonObject | undefined {
  const isPod = resource.group === '' && resource.plural === 'pods' && subresource === '';
  const spec = object?.['spec'];
  return isPod && operation === 'CREATE' && isJsonObject(spec) ? spec : undefined;
}
