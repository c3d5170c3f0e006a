import type { JsonObject } from '@smalt/json';
import { selectorMatches } from '@smalt/kubernetes-api';

import { notFoundError } from '../errors/make-status-error.ts';
import { objectAt } from '../identity/object-fields.ts';
import type { AdmissionReview } from '../registry/admission.ts';
import { isNamespace } from '../registry/namespace-lifecycle.ts';
import { metadataOf } from '../registry/object-metadata.ts';
import type { Store } from '../store/store.ts';

/** Whether the namespace and the labels of a write are what `namespaceSelector` and `objectSelector` ask for. */
export function matchesSelectors(store: Store, selectors: JsonObject, review: AdmissionReview): boolean {
  return matchesNamespace(store, objectAt(selectors, 'namespaceSelector'), review) && matchesObject(selectors, review);
}

function matchesNamespace(store: Store, selector: JsonObject, review: AdmissionReview): boolean {
  if (isEmpty(selector)) return true;
  const { resource, namespace, object, operation, subresource } = review;
  if (!resource.isNamespaced && !isNamespace(resource)) return true;
  if (isNamespace(resource) && subresource === '' && operation !== 'DELETE' && object !== undefined) {
    return selectorMatches(selector, labelsOf(object));
  }
  const found = store.get('namespaces', `/${namespace}`);
  if (found === undefined) throw notFoundError({ group: '', plural: 'namespaces' }, namespace);
  return selectorMatches(selector, found.labels);
}

function matchesObject(selectors: JsonObject, { object, oldObject }: AdmissionReview): boolean {
  const selector = objectAt(selectors, 'objectSelector');
  if (isEmpty(selector)) return true;
  return [object, oldObject].some((each) => each !== undefined && selectorMatches(selector, labelsOf(each)));
}

function isEmpty(selector: JsonObject): boolean {
  return selector['matchLabels'] === undefined && selector['matchExpressions'] === undefined;
}

function labelsOf(object: JsonObject): JsonObject {
  return objectAt(metadataOf(object), 'labels');
}
