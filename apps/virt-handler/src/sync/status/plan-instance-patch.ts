import { isSameJson, type JsonValue } from '@smalt/json';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import type { PatchOperation } from '@smalt/vm-lifecycle';

/** The smallest patch that turns one instance into the other, by whole fields; each only while it is what it was. */
export function planInstancePatch(
  before: VirtualMachineInstance,
  after: VirtualMachineInstance,
): readonly PatchOperation[] {
  const labels = operationsFor('/metadata/labels', before.metadata.labels, after.metadata.labels);
  const old: Readonly<Record<string, unknown>> = { ...before.status };
  const current: Readonly<Record<string, unknown>> = { ...after.status };
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])].toSorted();
  return [...labels, ...names.flatMap((name) => operationsFor(`/status/${name}`, old[name], current[name]))];
}

function operationsFor(path: string, before: unknown, after: unknown): readonly PatchOperation[] {
  if (isSame(before, after)) return [];
  if (before === undefined) return [{ op: 'add', path, value: after }];
  const test = { op: 'test', path, value: before } as const;
  return after === undefined ? [test, { op: 'remove', path }] : [test, { op: 'replace', path, value: after }];
}

function isSame(left: unknown, right: unknown): boolean {
  return isSameJson(meaningOf(left), meaningOf(right));
}

/** A value without what means nothing to the API: fields that are not set, and empty lists. */
function meaningOf(value: unknown): JsonValue | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((each) => meaningOf(each) ?? null);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return isPlain(value) ? value : undefined;
  if (value === null) return undefined;
  const fields = Object.entries(value).flatMap(([name, each]) => {
    const meaning = meaningOf(each);
    return meaning === undefined ? [] : [[name, meaning] as const];
  });
  return Object.fromEntries(fields);
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
