import { parseArgs } from 'node:util';

import { ImagesError } from './images-error.ts';
import type { Compression } from './oci/layer.ts';
import type { ImageRecipe } from './recipes.ts';

/** What a person asked for. */
export interface ImageArguments {
  readonly names: readonly string[];
  readonly registry: string;
  readonly tags: readonly string[];
  readonly output: string;
  readonly compression: Compression;
  readonly isUpdate: boolean;
  readonly isLocked: boolean;
  /** A file in the form of apt's sources.list. */
  readonly sources: string | undefined;
  readonly isUnpacked: boolean;
}

export type ParsedArguments = { readonly kind: 'help' } | { readonly kind: 'build'; readonly options: ImageArguments };

const DEFAULTS = { registry: 'smalt.local', output: '.cache/images', compression: 'zstd' } as const;

/** A name below which images are kept: a host, perhaps with a port, and perhaps a path. */
const REGISTRY = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?::\d{1,5})?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** Reads the words behind `npm run images --`. Throws `bad-argument`, and the message names the word. */
export function parseArguments(words: readonly string[], known: readonly string[]): ParsedArguments {
  const { values, positionals } = parse(words);
  if (values.help === true) return { kind: 'help' };
  const { registry = DEFAULTS.registry, tag: tags = [], output = DEFAULTS.output } = values;
  check(
    REGISTRY.test(registry),
    `--registry ${registry}: give a name such as registry.example:5000/team, in small letters`,
  );
  for (const tag of tags)
    check(TAG.test(tag), `--tag ${tag}: give at most 128 letters, digits, dots, dashes and underscores`);
  check(output !== '', '--output: give the name of a directory');
  check(values.sources !== '', '--sources: give the name of a file');
  check(
    values.update !== true || values.locked !== true,
    '--update writes the lock anew and --locked keeps it: give one of them',
  );
  for (const name of positionals) {
    check(known.includes(name), `${name}: there is no such image; there are ${known.join(', ')}`);
  }
  const names = positionals.length === 0 ? known : known.filter((name) => positionals.includes(name));
  return {
    kind: 'build',
    options: {
      names,
      registry,
      tags,
      output,
      compression: parseCompression(values.compression ?? DEFAULTS.compression),
      isUpdate: values.update === true,
      isLocked: values.locked === true,
      sources: values.sources,
      isUnpacked: values.unpacked === true,
    },
  };
}

const FLAGS = {
  help: { type: 'boolean', short: 'h' },
  registry: { type: 'string' },
  tag: { type: 'string', multiple: true },
  output: { type: 'string' },
  compression: { type: 'string' },
  update: { type: 'boolean' },
  locked: { type: 'boolean' },
  sources: { type: 'string' },
  unpacked: { type: 'boolean' },
} as const;

function parse(
  words: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof FLAGS; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...words], options: FLAGS, allowPositionals: true });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ImagesError('bad-argument', `${message}\nsee npm run images -- --help`, { cause });
  }
}

function parseCompression(value: string): Compression {
  if (value === 'zstd' || value === 'gzip') return value;
  throw new ImagesError('bad-argument', `--compression ${value}: give zstd or gzip`);
}

function check(isGood: boolean, message: string): void {
  if (!isGood) throw new ImagesError('bad-argument', message);
}

/** What `--help` prints. */
export function helpText(recipes: readonly Pick<ImageRecipe, 'name' | 'title'>[]): string {
  return `Makes the images of Smalt as OCI archives, without a builder or a daemon.

usage: npm run images [-- [flags] [NAME…]]

images, all of them if none is named:
${recipes.map(({ name, title }) => `  ${name.padEnd(18)} ${title}`).join('\n')}

flags:
  --registry NAME     below which name images are kept; ${DEFAULTS.registry} if it is left out
  --tag TAG           instead of the version; can be given several times
  --output DIRECTORY  where NAME.tar and NAME.sbom.json go; ${DEFAULTS.output} if it is left out
  --compression KIND  of layers: zstd, or gzip for registries and runtimes from before 2022
  --update            take the newest Debian packages, and write them into the lock; commit it
  --locked            end with an error where Debian no longer has a package of the lock, instead of taking newer ones
  --sources FILE      take packages from these mirrors, in the form of apt's sources.list, and not from those of this machine
  --unpacked          directories NAME with the files of each image instead of archives
  --help              this text
`;
}
