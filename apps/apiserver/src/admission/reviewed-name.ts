import type { AdmissionReview } from '../registry/admission.ts';
import { metadataText } from '../registry/object-metadata.ts';

/** What a refusal calls an object, also one whose name has yet to be generated. */
export function reviewedName({ name, object }: AdmissionReview): string {
  if (name !== '' || object === undefined) return name || 'Unknown';
  return metadataText(object, 'name') || metadataText(object, 'generateName') || 'Unknown';
}
