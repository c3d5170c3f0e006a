import { ImagesError } from '../images-error.ts';
import type { DebianArchive } from './debian-archive.ts';
import { differences, type DebianLock, type LockedPackage } from './debian-lock.ts';
import type { DebianPackage } from './debian-package.ts';
import { resolvePackages, type KnownPackages } from './resolve-packages.ts';

export interface WantedPackages {
  readonly names: readonly string[];
  /** What to take of them; without one the newest there are. */
  readonly lock: DebianLock | undefined;
  /** Rather no image than one of other packages. */
  readonly isLocked: boolean;
}

export interface FetchedPackages {
  readonly packages: readonly DebianPackage[];
  /** Where each lies, by name. */
  readonly paths: ReadonlyMap<string, string>;
  /** In what they are others than those of the lock, in words. */
  readonly differences: readonly string[];
}

type Archive = Pick<DebianArchive, 'isFresh' | 'update' | 'find' | 'resolve' | 'download'>;

/**
 * Downloads packages and all that they need: those of the lock, or, where the mirror has dropped one of them, the newest of all,
 * since only what was there at one moment fits together. Throws `changed-packages` instead if the lock has to be kept.
 */
export async function fetchPackages(archive: Archive, wanted: WantedPackages): Promise<FetchedPackages> {
  try {
    return await download(archive, wanted);
  } catch (error) {
    // Lists of an earlier day name what the mirror may have dropped since.
    if (archive.isFresh || !(error instanceof ImagesError) || error.code !== 'command-failed') throw error;
    await archive.update();
    return await download(archive, wanted);
  }
}

async function download(archive: Archive, wanted: WantedPackages): Promise<FetchedPackages> {
  const packages = await choose(archive, wanted);
  const changes = wanted.lock === undefined ? [] : differences(wanted.lock, packages);
  return { packages, paths: await archive.download(packages), differences: changes };
}

async function choose(archive: Archive, { names, lock, isLocked }: WantedPackages): Promise<readonly DebianPackage[]> {
  if (lock === undefined) {
    if (isLocked)
      throw new ImagesError('changed-packages', 'there is no lock for this release of Debian: --update writes one');
    return await archive.resolve(names);
  }
  let choice = await fromLock(archive, names, lock);
  if (choice.gone.length > 0 && !archive.isFresh) {
    await archive.update();
    choice = await fromLock(archive, names, lock);
  }
  if (choice.gone.length === 0) return choice.packages;
  if (isLocked) throw new ImagesError('changed-packages', refusal(choice.gone));
  return await archive.resolve(names);
}

function refusal(gone: readonly string[]): string {
  return `the mirror no longer has, or the lock never had: ${gone.join(', ')}
either take the newest, and write the lock anew: --update
or give a mirror that still has them: --sources FILE, in the form of apt's sources.list`;
}

/** What the lock has for these names, and what of it is nowhere any more. */
async function fromLock(
  archive: Archive,
  names: readonly string[],
  lock: DebianLock,
): Promise<{ readonly packages: readonly DebianPackage[]; readonly gone: readonly string[] }> {
  const found = await archive.find(lock.packages);
  const locked = new Map(lock.packages.map((one) => [one.name, found.get(one.name) ?? bare(one)]));
  const strange = names.filter((name) => !locked.has(name));
  const packages = complete(
    names.filter((name) => locked.has(name)),
    locked,
  );
  const gone = packages.filter(({ name }) => !found.has(name)).map(({ name, version }) => `${name} ${version}`);
  return { packages, gone: [...gone, ...strange] };
}

/** The lock was whole when it was written: a choice that is not in it was not taken, even if Debian has it by now. */
function complete(names: readonly string[], locked: ReadonlyMap<string, DebianPackage>): readonly DebianPackage[] {
  const named = [...locked.values()].flatMap(({ depends }) => depends.flat());
  const known: KnownPackages = new Map([...named.map((name) => [name, undefined] as const), ...locked]);
  const resolution = resolvePackages(names, known);
  return resolution.kind === 'complete' ? resolution.packages : [];
}

/** A package of which the lock alone is known. */
function bare(one: LockedPackage): DebianPackage {
  const { name, version } = one;
  return { ...one, source: name, sourceVersion: version, homepage: undefined, provides: [], depends: [], size: 0 };
}
