/** What a path of the API leads to. */
export interface ResourceLocation {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The path of a collection, an object or a subresource. */
export function resourcePath({ group, version, plural, namespace, name, subresource }: ResourceLocation): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}${scope}/${plural}${object}${subresource === undefined ? '' : `/${subresource}`}`;
}
