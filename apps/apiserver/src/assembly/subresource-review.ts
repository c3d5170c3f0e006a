import type { JsonObject } from '@smalt/json';

import { writeContext } from '../http/read-write-request.ts';
import type { ResourceCall } from '../http/resource-handler.ts';
import type { AdmissionReview } from '../registry/admission.ts';

/** What a call to a subresource writes; with an old object it changes that one. */
export type SubresourceWrite = Pick<AdmissionReview, 'name' | 'subresource' | 'resource'> & {
  readonly object: JsonObject;
  readonly oldObject?: JsonObject;
};

/** A write to a subresource as admission sees it. */
export function subresourceReview(call: ResourceCall, write: SubresourceWrite): AdmissionReview {
  const isUpdate = write.oldObject !== undefined;
  const kind = isUpdate ? 'UpdateOptions' : 'CreateOptions';
  const { dryRun, addWarning } = writeContext(call, kind);
  return {
    operation: isUpdate ? 'UPDATE' : 'CREATE',
    namespace: call.info.namespace,
    user: call.user,
    dryRun,
    options: { kind, apiVersion: 'meta.k8s.io/v1' },
    addWarning,
    ...write,
    oldObject: write.oldObject,
  };
}
