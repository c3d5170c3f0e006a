import type { JsonObject } from '@smalt/json';

import type { ResourceCall } from '../http/resource-handler.ts';
import type { Admission } from '../registry/admission.ts';
import { subresourceReview, type SubresourceWrite } from './subresource-review.ts';

/** The object as admission wants it; `check` refuses one that cannot be. */
export async function admitSubresource(
  admission: Admission,
  call: ResourceCall,
  write: SubresourceWrite,
  check: (object: JsonObject) => void = () => undefined,
): Promise<JsonObject> {
  const { signal } = call.exchange;
  const review = subresourceReview(call, write);
  const object = (await admission.mutate(review, signal)) ?? write.object;
  check(object);
  await admission.validate({ ...review, object }, signal);
  return object;
}
