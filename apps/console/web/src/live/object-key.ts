/** Names an object of a known kind: `namespace/name`, or `name`. */
export function objectKey({
  namespace,
  name,
}: {
  readonly namespace?: string | undefined;
  readonly name: string;
}): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}
