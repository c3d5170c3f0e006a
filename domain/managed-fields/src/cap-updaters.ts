import { compareText } from './compare-values.ts';
import { unionOf } from './field-set.ts';
import { type Manager, managerId, type Managers, secondsOf } from './managers.ts';

const MAX_UPDATERS = 10;
const BUCKET = 'ancient-changes';

/** The managers with so few updaters that lists stay short: the oldest become one, for each version. */
export function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= MAX_UPDATERS) return managers;

  const result = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  let excess = updaters.length - MAX_UPDATERS;
  for (const [id, updater] of updaters.toSorted(compareByAge)) {
    if (excess === 0) break;
    const first = firstOfVersion.get(updater.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(updater.apiVersion, id);
      continue;
    }
    mergeIntoBucket(result, first, id, updater);
    excess--;
  }
  return result;
}

function mergeIntoBucket(managers: Map<string, Manager>, firstId: string, id: string, updater: Manager): void {
  const name = { manager: BUCKET, operation: 'Update', apiVersion: updater.apiVersion, subresource: '' } as const;
  const bucketId = managerId(name);
  const bucket = managers.get(bucketId) ?? managers.get(firstId);
  if (!managers.has(bucketId)) managers.delete(firstId);
  managers.delete(id);
  const fields = bucket === undefined ? updater.fields : unionOf(updater.fields, bucket.fields);
  managers.set(bucketId, { ...name, fields, time: updater.time });
}

function compareByAge([leftId, left]: [string, Manager], [rightId, right]: [string, Manager]): number {
  return secondsOf(left.time) - secondsOf(right.time) || compareText(leftId, rightId);
}
