import type { JsonObject } from '@smalt/json';
import { compareQuantities, parseQuantity, quantitySign } from '@smalt/quantity';

import { itemsAt, objectAt } from '../read-path.ts';

const COUNTED = ['cpu', 'memory'] as const;

/** How a pod is treated when its node runs out of something. */
export function qosClassOf(spec: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')];
  const asked = containers.flatMap((container) => [
    ...amounts(objectAt(container, 'resources', 'requests')).values(),
    ...amounts(objectAt(container, 'resources', 'limits')).values(),
  ]);
  if (asked.length === 0) return 'BestEffort';
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function isGuaranteed(container: JsonObject): boolean {
  const limits = amounts(objectAt(container, 'resources', 'limits'));
  const requests = amounts(objectAt(container, 'resources', 'requests'));
  return COUNTED.every((name) => {
    const limit = limits.get(name);
    const request = requests.get(name) ?? limit;
    if (limit === undefined || request === undefined) return false;
    return compareQuantities(parseQuantity(limit), parseQuantity(request)) === 0;
  });
}

function amounts(map: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    COUNTED.flatMap((name) => {
      const text = Object.hasOwn(map, name) ? map[name] : undefined;
      return typeof text === 'string' && quantitySign(parseQuantity(text)) > 0 ? [[name, text] as const] : [];
    }),
  );
}
