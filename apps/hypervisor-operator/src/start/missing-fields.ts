/** The fields, as paths, that one schema declares and another does not. */
export function missingFields(wanted: unknown, served: unknown, path: string): readonly string[] {
  if (inner(served, 'x-kubernetes-preserve-unknown-fields') === true) return [];
  const properties = inner(wanted, 'properties');
  if (typeof properties === 'object' && properties !== null) {
    return Object.entries(properties).flatMap(([name, field]: readonly [string, unknown]) => {
      const found = inner(served, 'properties', name);
      return found === undefined ? [`${path}.${name}`] : missingFields(field, found, `${path}.${name}`);
    });
  }
  const items = inner(wanted, 'items');
  return items === undefined ? [] : missingFields(items, inner(served, 'items'), `${path}[]`);
}

/** What stands below these names in something that came from outside. */
export function inner(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((found, name) => {
    if (typeof found !== 'object' || found === null) return undefined;
    return Object.getOwnPropertyDescriptor(found, name)?.value;
  }, value);
}
