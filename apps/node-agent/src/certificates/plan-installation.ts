import type { Entry } from './guarded-directory.ts';
import type { KeyMaterial } from './key-material.ts';
import { modeOf, PKI_FILES, PKI_LINKS, type PkiFile, type PkiLink } from './pki-layout.ts';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Who shall own the files. */
export interface FileOwners {
  /** Of the files that daemons open. */
  readonly daemons: Account;
  /** Of the keys that the processes of guests open. */
  readonly guests: Account;
}

/** What is to be done so that the files are as they should be. */
export interface InstallationPlan {
  readonly files: readonly PkiFile[];
  readonly links: readonly PkiLink[];
  /** Links in whose place lies a file that somebody may want back. */
  readonly setAside: readonly PkiLink[];
  /** Things in the way that are neither files nor links, such as directories: nothing may be done while there are any. */
  readonly obstacles: readonly string[];
}

/** Compares what lies below the PKI directory, by path, with what should. */
export function planInstallation(
  entries: ReadonlyMap<string, Entry>,
  material: KeyMaterial,
  owners: FileOwners,
): InstallationPlan {
  const at = (place: PkiFile | PkiLink): Entry => entries.get(pathOf(place)) ?? { kind: 'missing' };
  return {
    files: PKI_FILES.filter((file) => !isRight(file, at(file), material, owners)),
    links: PKI_LINKS.filter((link) => {
      const entry = at(link);
      return entry.kind !== 'link' || entry.target !== link.target;
    }),
    setAside: PKI_LINKS.filter((link) => at(link).kind === 'file'),
    obstacles: [...PKI_FILES, ...PKI_LINKS].filter((place) => at(place).kind === 'other').map(pathOf),
  };
}

export function isNothingToDo({ files, links, obstacles }: InstallationPlan): boolean {
  return files.length === 0 && links.length === 0 && obstacles.length === 0;
}

/** Relative to the PKI directory. */
export function pathOf({ directory, name }: PkiFile | PkiLink): string {
  return `${directory}/${name}`;
}

/** Guests open keys under their own account; all else is read by anyone, or by daemons. */
export function ownerOf({ content, isForGuests }: PkiFile, owners: FileOwners): Account {
  return content === 'key' && isForGuests ? owners.guests : owners.daemons;
}

function isRight(file: PkiFile, entry: Entry, material: KeyMaterial, owners: FileOwners): boolean {
  // Who owns a file may change it at any time, so a stranger's copy is as bad as a wrong one.
  const { uid } = ownerOf(file, owners);
  return (
    entry.kind === 'file' &&
    entry.mode === modeOf(file) &&
    entry.uid === uid &&
    entry.content.equals(material[file.content])
  );
}
