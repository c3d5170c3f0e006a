import type { JsonObject } from '@smalt/json';

import { badRequestError } from '../errors/make-status-error.ts';
import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import { metadataText } from '../registry/object-metadata.ts';

/** The container of a pod that is meant: the one that was named, or the only one. Throws 400 when that is not clear. */
export function chooseContainer(pod: JsonObject, asked: string): string {
  const name = metadataText(pod, 'name');
  const spec = objectAt(pod, 'spec');
  const containers = names(spec, 'containers');
  const all = [...names(spec, 'initContainers'), ...containers, ...names(spec, 'ephemeralContainers')];
  if (asked !== '') {
    if (all.includes(asked)) return asked;
    throw badRequestError(`container ${asked} is not valid for pod ${name}`);
  }
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const choice = all.length === 0 ? '' : `, choose one of: [${all.join(' ')}]`;
  throw badRequestError(`a container name must be specified for pod ${name}${choice}`);
}

function names(spec: JsonObject, field: string): readonly string[] {
  return objectsAt(spec, field).map((container) => textAt(container, 'name'));
}
