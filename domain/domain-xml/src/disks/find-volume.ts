import type { DomainContext } from '../domain-context.ts';
import type { DomainVolume } from '../domain-volume.ts';
import { DomainXmlError } from '../domain-xml-error.ts';

/** The volume called `name` on the node, if it is there. */
export function findVolume(context: DomainContext, name: string): DomainVolume | undefined {
  return context.volumes.find((volume) => volume.name === name);
}

/** The volume called `name` on the node. Throws `missing-volume` with the field that wants it. */
export function requireVolume(context: DomainContext, name: string, field: string): DomainVolume {
  const volume = findVolume(context, name);
  if (volume) return volume;
  const message = `the volume "${name}" is not on the node yet; look at the status of what it comes from`;
  throw new DomainXmlError('missing-volume', message, { field });
}
