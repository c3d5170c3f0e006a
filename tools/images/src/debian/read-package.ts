import { readTar } from '../tar/read-tar.ts';
import { directory, type TreeEntry } from '../tree/file-tree.ts';
import { mergedPath } from '../tree/merged-path.ts';
import { runProgram } from '../run-program.ts';

/** What a package holds. */
export interface PackageContent {
  readonly name: string;
  /** What is said about it, in the form of dpkg. */
  readonly control: string;
  readonly entries: ReadonlyMap<string, TreeEntry>;
}

/** Bits that give a program the rights of somebody else; containers have none to give. */
const SPECIAL_BITS = 0o6000;

/** Reads a package without unpacking it on the disk. */
export async function readPackage(name: string, path: string, signal: AbortSignal): Promise<PackageContent> {
  const control = (await runProgram('dpkg-deb', ['--field', path], { signal })).toString();
  const archive = await runProgram('dpkg-deb', ['--fsys-tarfile', path], { signal });
  const entries = new Map<string, TreeEntry>();
  for (const [place, entry] of readTar(archive)) entries.set(mergedPath(place), harmless(entry));
  return { name, control, entries };
}

function harmless(entry: TreeEntry): TreeEntry {
  if (entry.kind === 'link') return entry;
  const mode = entry.mode & ~SPECIAL_BITS & 0o7777;
  // Many packages have the same directory, each with a time of its own: which are here must not show.
  return entry.kind === 'directory' ? directory(mode) : { ...entry, mode };
}
