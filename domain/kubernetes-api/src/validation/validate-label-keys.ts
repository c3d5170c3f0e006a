import type { JsonObject } from '@smalt/json';
import { checkQualifiedName } from '@smalt/kubernetes';
import { forbidden, invalid, type FieldError } from '@smalt/resource';

import { isGivenAt, itemsAt, objectAt, textAt, textsAt } from '../read-path.ts';

const MATCH = 'matchLabelKeys';
const MISMATCH = 'mismatchLabelKeys';

/** What is wrong with the keys by which a rule selects pods that are like its own, or unlike it. */
export function validateLabelKeys(rule: JsonObject, path: string): readonly FieldError[] {
  const mismatched = new Set(textsAt(rule, MISMATCH));
  const keys = textsAt(rule, MATCH);
  return [
    ...validateKeys(rule, MATCH, path),
    ...validateKeys(rule, MISMATCH, path),
    ...validateSelected(rule, path),
    ...keys.flatMap((key, index) =>
      mismatched.has(key)
        ? [invalid(`${path}.${MATCH}[${index}]`, key, `exists in both ${MATCH} and ${MISMATCH}`)]
        : [],
    ),
  ];
}

function validateKeys(rule: JsonObject, name: string, path: string): readonly FieldError[] {
  const keys = textsAt(rule, name);
  if (keys.length === 0) return [];
  const place = `${path}.${name}`;
  if (!isGivenAt(rule, 'labelSelector')) {
    return [forbidden(place, 'must not be specified when labelSelector is not set')];
  }
  return keys.flatMap((key, index) =>
    checkQualifiedName(key).map((problem) => invalid(`${place}[${index}]`, key, problem)),
  );
}

// A pod's selector already has what its keys mean: one of them that stands there twice was selected by before.
function validateSelected(rule: JsonObject, path: string): readonly FieldError[] {
  const keys = textsAt(rule, MATCH);
  const seen = new Set(Object.keys(objectAt(rule, 'labelSelector', 'matchLabels')));
  return itemsAt(rule, 'labelSelector', 'matchExpressions').flatMap((part) => {
    const key = textAt(part, 'key');
    const index = keys.lastIndexOf(key);
    const isTwice = index !== -1 && seen.has(key);
    seen.add(key);
    // Kubernetes leaves the name of the list out of the path, too.
    return isTwice ? [invalid(`${path}[${index}]`, key, `exists in both ${MATCH} and labelSelector`)] : [];
  });
}
