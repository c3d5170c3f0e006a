import { isJsonObject, type JsonObject } from '@smalt/json';

import { objectsAt } from '../identity/object-fields.ts';
import type { AdmissionReview } from '../registry/admission.ts';

const DEFAULT_KEYS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/**
 * A pod that does not say how long it stays on a node that is out of touch stays there for five minutes, as by the plugin
 * DefaultTolerationSeconds of Kubernetes. Anything else stays as it is.
 */
export function defaultTolerations({
  resource,
  subresource,
  operation,
  object,
}: AdmissionReview): JsonObject | undefined {
  const isPod = resource.group === '' && resource.plural === 'pods' && subresource === '';
  const isWritten = operation === 'CREATE' || operation === 'UPDATE';
  const spec = object?.['spec'];
  if (!isPod || !isWritten || object === undefined || !isJsonObject(spec)) return object;
  const tolerations = objectsAt(spec, 'tolerations');
  const missing = DEFAULT_KEYS.filter((key) => !tolerations.some((each) => isAbout(each, key)));
  if (missing.length === 0) return object;
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  return { ...object, spec: { ...spec, tolerations: [...tolerations, ...added] } };
}

/** Its operator and its value do not count. */
function isAbout({ key = '', effect = '' }: JsonObject, taintKey: string): boolean {
  return (key === '' || key === taintKey) && (effect === '' || effect === 'NoExecute');
}
