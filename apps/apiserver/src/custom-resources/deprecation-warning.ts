import type { JsonObject } from '@smalt/json';

import { compareVersions } from '../discovery/group-priority.ts';
import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';

/** What clients of a deprecated version are told; undefined for a version that is not. */
export function deprecationWarning(crd: JsonObject, versionName: string): string | undefined {
  const spec = objectAt(crd, 'spec');
  const versions = objectsAt(spec, 'versions');
  const version = versions.find(({ name }) => name === versionName);
  if (version?.['deprecated'] !== true) return undefined;
  const own = version['deprecationWarning'];
  if (typeof own === 'string') return own;
  const group = textAt(spec, 'group');
  const kind = textAt(objectAt(spec, 'names'), 'kind');
  const [newest] = versions
    .filter((candidate) => candidate['served'] === true && candidate['deprecated'] !== true)
    .map((candidate) => textAt(candidate, 'name'))
    .filter((name) => compareVersions(name, versionName) < 0)
    .toSorted(compareVersions);
  const advice = newest === undefined ? '' : `; use ${group}/${newest} ${kind}`;
  return `${group}/${versionName} ${kind} is deprecated${advice}`;
}
