import type { JsonObject, JsonValue } from '@smalt/json';
import type { Status } from '@smalt/kubernetes';

import type { VirtAdmission } from '../admission/virt-admission.ts';
import type { VirtApiMetrics } from '../metrics/virt-api-metrics.ts';
import { statusOfError } from '../status-of-error.ts';
import { objectDifference } from './object-difference.ts';
import type { ReceivedReview } from './read-admission-review.ts';
import type { WebhookEndpoint } from './webhook-endpoints.ts';

export interface ReviewDeps {
  readonly admission: VirtAdmission;
  readonly metrics: VirtApiMetrics;
}

/** Answers an AdmissionReview. What is wrong with the write is in the answer. */
export async function answerReview(
  { admission, metrics }: ReviewDeps,
  endpoint: Pick<WebhookEndpoint, 'kind'>,
  { uid, write }: ReceivedReview,
  signal: AbortSignal,
): Promise<JsonObject> {
  const isValidating = endpoint.kind === 'validating';
  try {
    const response = isValidating ? await validated(admission, write, signal) : await mutated(admission, write, signal);
    if (isValidating) metrics.countReview(write.plural, true);
    return answer({ uid, allowed: true, ...response });
  } catch (error) {
    const status = statusOfError(error);
    if (status === undefined) throw error;
    metrics.countReview(write.plural, false);
    return answer({ uid, allowed: false, status: plain(status) });
  }
}

type Write = ReceivedReview['write'];

async function validated(admission: VirtAdmission, write: Write, signal: AbortSignal): Promise<JsonObject> {
  // Unlike the server that we might be plugged into, this one could be anybody.
  admission.checkShape(write);
  const warnings = await admission.validate(write, signal);
  return warnings.length === 0 ? {} : { warnings: [...warnings] };
}

async function mutated(admission: VirtAdmission, write: Write, signal: AbortSignal): Promise<JsonObject> {
  const made = await admission.mutate(write, signal);
  const patch = write.object === undefined || made === undefined ? [] : objectDifference(write.object, made);
  if (patch.length === 0) return {};
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

function answer(response: JsonObject): JsonObject {
  return { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response };
}

function plain(status: Status): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a Status is JSON through and through
  return status as unknown as JsonObject;
}
