export interface FoundField {
  /** The path with the numbers of list entries. */
  readonly path: string;
  readonly value: unknown;
}

/** The places in `root` that a path such as `domain.devices.disks[*].cdrom` leads to, as far as they are set. */
export function findFields(root: unknown, path: string, prefix: string): readonly FoundField[] {
  let found: readonly FoundField[] = [{ path: prefix, value: root }];
  for (const step of path.split('.')) {
    const name = step.replace('[*]', '');
    found = found.flatMap((at) => property(at, name));
    if (step.endsWith('[*]')) found = found.flatMap(entries);
  }
  return found;
}

/** Whether a value asks for a feature: all but `false`, `enabled: false` and what is empty does. */
export function asksForIt(value: unknown): boolean {
  if (value === false || value === '' || (Array.isArray(value) && value.length === 0)) return false;
  return !(isRecord(value) && value['enabled'] === false);
}

function property({ path, value }: FoundField, name: string): readonly FoundField[] {
  if (!isRecord(value) || !Object.hasOwn(value, name)) return [];
  const inner = value[name];
  return inner === undefined || inner === null ? [] : [{ path: `${path}.${name}`, value: inner }];
}

function entries({ path, value }: FoundField): readonly FoundField[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown, index) => ({ path: `${path}[${index}]`, value: entry }));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
