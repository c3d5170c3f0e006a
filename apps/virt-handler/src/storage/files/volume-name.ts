/** A name of a directory, and nothing else: the API lets no other through, and here it is looked at again. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether a volume may be called so; only then it has files. */
export function isVolumeName(name: string): boolean {
  return NAME.test(name);
}
