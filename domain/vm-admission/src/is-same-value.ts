import { isJsonObject } from '@smalt/json';

/** Whether two parts of objects mean the same. A list without items is the same as no list, as it is for Kubernetes. */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const [first, second] = [withoutEmptyList(left), withoutEmptyList(right)];
  if (Array.isArray(first) && Array.isArray(second)) {
    return first.length === second.length && first.every((item, index) => isSameValue(item, second[index]));
  }
  if (!isJsonObject(first) || !isJsonObject(second)) return first === second;
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].every((name) =>
    isSameValue(ownField(first, name), ownField(second, name)),
  );
}

function withoutEmptyList(value: unknown): unknown {
  return value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

function ownField(object: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(object, name)?.value;
}
