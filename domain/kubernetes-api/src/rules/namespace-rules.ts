import type { JsonObject } from '@smalt/json';
import { checkDns1123Label } from '@smalt/kubernetes';

import { namespaceColumns } from '../columns/core-columns.ts';
import { fillIn, withChild, withField } from '../edit-object.ts';
import { isGivenAt, objectAt, textAt, textsAt } from '../read-path.ts';
import type { KindRules } from './kind-rules.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';

export const namespaceRules: KindRules = {
  nameRule: checkDns1123Label,
  columns: namespaceColumns,
  selectableFields: {
    'status.phase': (namespace) => textAt(namespace, 'status', 'phase'),
    name: (namespace) => textAt(namespace, 'metadata', 'name'),
  },
  default: (namespace) =>
    withChild(withNameLabel(namespace), 'status', (status) => fillIn(status, { phase: 'Active' })),
  prepareForCreate: (namespace) => {
    const finalizers = textsAt(namespace, 'spec', 'finalizers');
    const all = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
    const spec = { ...objectAt(namespace, 'spec'), finalizers: all };
    return withField(withField(namespace, 'spec', spec), 'status', { phase: 'Active' });
  },
  // The finalizers of a namespace change only through its subresource.
  prepareForUpdate: (namespace, old) =>
    isGivenAt(old, 'spec') ? withField(namespace, 'spec', objectAt(old, 'spec')) : namespace,
};

/** Every namespace carries its own name as a label, so that selectors can name it. */
function withNameLabel(namespace: JsonObject): JsonObject {
  const name = textAt(namespace, 'metadata', 'name');
  if (name === '') return namespace;
  return withChild(namespace, 'metadata', (metadata) => {
    const labels = objectAt(metadata, 'labels');
    return labels[NAME_LABEL] === name ? metadata : withField(metadata, 'labels', { ...labels, [NAME_LABEL]: name });
  });
}
