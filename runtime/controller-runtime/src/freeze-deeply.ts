/** Makes an object, and all that is in it, such that nobody can change it. */
export function freezeDeeply<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) freezeDeeply(part);
  }
  return Object.freeze(value);
}
