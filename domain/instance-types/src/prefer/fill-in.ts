/** Some fields of an object, and others that nobody has said anything about. */
export type Wanted<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** The object with the fields that are wanted and that it does not have; an empty text counts as not there. */
export function fillIn<T extends object>(given: T, wanted: Wanted<NoInfer<T>>): T {
  const missing = Object.entries(wanted).filter(
    ([key, value]) => value !== undefined && value !== '' && isOpen(given, key),
  );
  return missing.length === 0 ? given : { ...given, ...Object.fromEntries(missing) };
}

function isOpen(given: object, key: string): boolean {
  const value: unknown = Object.hasOwn(given, key) ? Reflect.get(given, key) : undefined;
  return value === undefined || value === '';
}
