import { DiskImageError } from '../disk-image-error.ts';
import { NameRegistry } from '../name-registry.ts';

/** A name as FAT keeps it: eleven bytes that everybody reads, and the whole of it where they do not suffice. */
export interface FatName {
  readonly short: Buffer;
  readonly long: string | undefined;
}

const EXACT = /^([A-Z0-9_-]{1,8})(?:\.([A-Z0-9_-]{1,3}))?$/;
const FORBIDDEN = /["*/:<>?\\|\p{Cc}]|[. ]$/u;

/** The names of one directory. FAT takes `a` and `A` for the same name. */
export class FatNames {
  readonly #shortNames = new NameRegistry();
  readonly #seen = new Set<string>();

  /** Throws `invalid-path` for a name that FAT cannot hold and `duplicate-path` for one that it has already. */
  take(name: string): FatName {
    if (FORBIDDEN.test(name)) {
      const message = `"${name}" cannot be a name on a FAT disk: it holds one of "*:<>?\\| or ends in a dot or a space`;
      throw new DiskImageError('invalid-path', message);
    }
    const folded = name.toUpperCase();
    if (this.#seen.has(folded)) {
      throw new DiskImageError('duplicate-path', `"${name}" differs from another name by its letters' case alone`);
    }
    this.#seen.add(folded);
    const [, stem, extension = ''] = EXACT.exec(name) ?? [];
    if (stem !== undefined) return { short: padded(stem, extension), long: undefined };
    return { short: this.#alias(name), long: name };
  }

  #alias(name: string): Buffer {
    const dot = name.lastIndexOf('.');
    const stem = plain(dot > 0 ? name.slice(0, dot) : name) || '_';
    const extension = plain(dot > 0 ? name.slice(dot + 1) : '').slice(0, 3);
    // The tilde keeps it from all names that are short as they are.
    const chosen = this.#shortNames.take((attempt) => {
      const tail = `~${attempt + 1}`;
      return padded(`${stem.slice(0, 8 - tail.length)}${tail}`, extension).toString('latin1');
    });
    return Buffer.from(chosen, 'latin1');
  }
}

function padded(stem: string, extension: string): Buffer {
  return Buffer.from(stem.padEnd(8) + extension.padEnd(3), 'latin1');
}

function plain(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9_-]/g, '_');
}
