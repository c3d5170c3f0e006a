/** One mount, as `mountinfo` has it. */
export interface Mount {
  /** The numbers of its file system, `254:1`. */
  readonly device: string;
  /** What of the file system is mounted. */
  readonly root: string;
  readonly mountPoint: string;
  /** That of its file system, `ext4`. */
  readonly type: string;
  /** What this mount allows, `ro` or `nosymfollow`. */
  readonly flags: readonly string[];
  /** Whether what is mounted below it is passed on to other mount namespaces. */
  readonly isShared: boolean;
  /** Those of its file system. */
  readonly options: readonly string[];
}

type MountedPart = Pick<Mount, 'device' | 'root' | 'mountPoint'>;

/** Reads a `mountinfo`, in its own order: what comes later lies above what was mounted there before. */
export function parseMountTable(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ', 2);
    const [, , device, root, mountPoint, flags = '', ...optional] = left.split(' ');
    const [type = '', , options = ''] = right.split(' ');
    if (device === undefined || root === undefined || mountPoint === undefined) return [];
    const point = { device, root: unescape(root), mountPoint: unescape(mountPoint) };
    const isShared = optional.some((field) => field.startsWith('shared:'));
    return [{ ...point, type, flags: flags.split(','), isShared, options: options.split(',') }];
  });
}

/** What is mounted at exactly this path; undefined where nothing is. */
export function mountAt(table: readonly Mount[], mountPoint: string): Mount | undefined {
  return table.findLast((mount) => mount.mountPoint === mountPoint);
}

/** The paths at which the same is seen by another table, the closest mount first. */
export function pathsOf(
  table: readonly MountedPart[],
  { device, root }: Pick<Mount, 'device' | 'root'>,
): readonly string[] {
  return table
    .filter((mount) => mount.device === device && isAtOrBelow(mount.root, root))
    .toSorted((left, right) => right.root.length - left.root.length)
    .map((mount) => below(mount.mountPoint, root.slice(mount.root === '/' ? 0 : mount.root.length)));
}

function isAtOrBelow(above: string, path: string): boolean {
  return above === '/' || path === above || path.startsWith(`${above}/`);
}

function below(mountPoint: string, rest: string): string {
  if (rest === '' || rest === '/') return mountPoint;
  return mountPoint === '/' ? rest : `${mountPoint}${rest}`;
}

/** The kernel writes blanks and backslashes as three octal digits. */
function unescape(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
}
