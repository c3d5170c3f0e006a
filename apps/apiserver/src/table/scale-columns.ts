import { isJsonObject, type JsonObject } from '@smalt/json';
import { humanDuration } from '@smalt/kubernetes';
import type { Column } from '@smalt/resource';

/** What is shown of the Scale of an object. */
export const SCALE_COLUMNS: readonly Column[] = [
  {
    name: 'Desired',
    type: 'integer',
    description: 'How many there are to be.',
    priority: 0,
    cell: (scale) => replicasOf(scale, 'spec'),
  },
  {
    name: 'Available',
    type: 'integer',
    description: 'How many there are.',
    priority: 0,
    cell: (scale) => replicasOf(scale, 'status'),
  },
  { name: 'Age', type: 'string', description: 'The time since the object was created.', priority: 0, cell: ageOf },
];

function replicasOf(scale: JsonObject, part: 'spec' | 'status'): number {
  const owner = scale[part];
  const replicas = isJsonObject(owner) ? owner['replicas'] : undefined;
  return typeof replicas === 'number' ? replicas : 0;
}

function ageOf(scale: JsonObject, now: Date): string {
  const metadata = scale['metadata'];
  const created = isJsonObject(metadata) ? metadata['creationTimestamp'] : undefined;
  return typeof created === 'string' ? humanDuration(now.getTime() - Date.parse(created)) : '<unknown>';
}
