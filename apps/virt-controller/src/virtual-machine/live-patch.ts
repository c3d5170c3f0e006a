import type { Fields } from '@smalt/kube';
import type { LiveChange } from '@smalt/vm-lifecycle';

/** The JSON patch that carries changes into an instance, each only as long as the field is what it was. */
export function livePatch(changes: readonly LiveChange[]): readonly Fields[] {
  return changes.flatMap(({ path, before, value }) => {
    if (before === undefined) return value === undefined ? [] : [{ op: 'add', path, value }];
    const test = { op: 'test', path, value: before };
    return value === undefined ? [test, { op: 'remove', path }] : [test, { op: 'replace', path, value }];
  });
}
