/** Makes an object, and all that is in it, such that nobody can change it. What is frozen already is left alone. */
export function freezeDeeply<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value;
  // Without a list of the values: this runs over every object that a watch brings.
  for (const name in value) {
    const part: unknown = value[name];
    if (typeof part === 'object' && part !== null) freezeDeeply(part);
  }
  return Object.freeze(value);
}
