import { isSameJson, jsonField, type JsonObject } from '@smalt/json';
import type { PatchOperation } from '@smalt/vm-admission';

/** The JSON patch that makes one object of another, by whole fields of the first level. */
export function objectDifference(from: JsonObject, to: JsonObject): readonly PatchOperation[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((name): readonly PatchOperation[] => {
    const [before, after] = [jsonField(from, name), jsonField(to, name)];
    const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (after === undefined) return before === undefined ? [] : [{ op: 'remove', path }];
    return before !== undefined && isSameJson(before, after) ? [] : [{ op: 'add', path, value: after }];
  });
}
