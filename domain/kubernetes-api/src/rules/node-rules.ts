import type { JsonObject } from '@smalt/json';
import { duplicate, invalid, validateLabels, type FieldError } from '@smalt/resource';

import { nodeColumns } from '../columns/node-columns.ts';
import { withChild, withField } from '../edit-object.ts';
import { isGivenAt, isTrueAt, itemsAt, objectAt, textAt } from '../read-path.ts';
import { checkWord } from '../validation/check-field.ts';
import type { KindRules } from './kind-rules.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export const nodeRules: KindRules = {
  columns: nodeColumns,
  // A kubelet registers its node and says how it is in one call.
  keepsStatusOnCreate: true,
  selectableFields: { 'spec.unschedulable': (node) => String(isTrueAt(node, 'spec', 'unschedulable')) },
  // What can be given away is all there is, until the node says otherwise.
  default: (node) =>
    withChild(node, 'status', (status) =>
      isGivenAt(status, 'capacity') && !isGivenAt(status, 'allocatable')
        ? withField(status, 'allocatable', objectAt(status, 'capacity'))
        : status,
    ),
  validate: (node) => validateTaints(objectAt(node, 'spec')),
  validateUpdate: (node, old) => {
    const before = textAt(old, 'spec', 'providerID');
    const now = textAt(node, 'spec', 'providerID');
    return before === '' || before === now
      ? []
      : [invalid('spec.providerID', now, 'node updates may not change providerID except from "" to valid')];
  },
};

function validateTaints(spec: JsonObject): readonly FieldError[] {
  const seen = new Set<string>();
  return itemsAt(spec, 'taints').flatMap((taint, index) => {
    const path = `spec.taints[${index}]`;
    const key = textAt(taint, 'key');
    const id = `${key} ${textAt(taint, 'effect')}`;
    const isRepeated = seen.has(id);
    seen.add(id);
    return [
      ...validateLabels({ [key]: textAt(taint, 'value') }, path),
      ...checkWord(taint, 'effect', path, EFFECTS),
      ...(isRepeated ? [{ ...duplicate(path, taint), detail: 'taints must be unique by key and effect pair' }] : []),
    ];
  });
}
