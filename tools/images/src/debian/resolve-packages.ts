import { ImagesError } from '../images-error.ts';
import type { DebianPackage } from './debian-package.ts';

/** What packages ask for to be installed, removed or configured by a person. Nothing of that happens in an image. */
const ONLY_TO_INSTALL: ReadonlySet<string> = new Set([
  'adduser',
  'awk',
  'debconf',
  'debconf-2.0',
  'default-logind',
  'dpkg',
  'init-system-helpers',
  'install-info',
  'lsb-base',
  'openssl',
  'passwd',
  'perl',
  'perl-base',
  'sensible-utils',
  'sysvinit-utils',
  'ucf',
]);

/** What is known of a name: a package, or that there is none. */
export type KnownPackages = ReadonlyMap<string, DebianPackage | undefined>;

export type Resolution =
  | { readonly kind: 'complete'; readonly packages: readonly DebianPackage[] }
  | { readonly kind: 'unknown'; readonly names: readonly string[] };

/** All packages that the wanted ones need, or the names to look up before that can be told. Throws `missing-package`. */
export function resolvePackages(wanted: readonly string[], known: KnownPackages): Resolution {
  const chosen = new Map<string, DebianPackage>();
  const unknown = new Set<string>();
  const isNeedless = (name: string): boolean => ONLY_TO_INSTALL.has(name) && !wanted.includes(name);
  const open: (readonly string[])[] = wanted.map((name) => [name]);
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    if (group.some((name) => chosen.has(name) || isNeedless(name))) continue;
    const missing = group.filter((name) => !known.has(name));
    for (const name of missing) unknown.add(name);
    if (missing.length > 0) continue;
    const found = chooseFrom(group, known);
    if (chosen.has(found.name)) continue;
    chosen.set(found.name, found);
    open.push(...found.depends);
  }
  if (unknown.size > 0) return { kind: 'unknown', names: [...unknown].toSorted() };
  const packages = [...chosen.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return { kind: 'complete', packages };
}

/** The first that there is; a virtual one stands for a package that is known to provide it. */
function chooseFrom(group: readonly string[], known: KnownPackages): DebianPackage {
  for (const name of group) {
    const found = known.get(name);
    if (found !== undefined) return found;
  }
  for (const candidate of known.values()) {
    if (candidate?.provides.some((name) => group.includes(name))) return candidate;
  }
  throw new ImagesError(
    'missing-package',
    `Debian has no package ${group.join(' or ')}: run it again with --update, or on another release of Debian`,
  );
}
