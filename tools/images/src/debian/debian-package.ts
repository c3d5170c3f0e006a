/** One binary package of Debian, as its index tells. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** The source package it was built from; for many it has the same name and version. */
  readonly source: string;
  readonly sourceVersion: string;
  readonly homepage: string | undefined;
  readonly provides: readonly string[];
  /** What has to be there too: of each group one. */
  readonly depends: readonly (readonly string[])[];
  readonly sha256: string;
  readonly size: number;
}

/** Reads the paragraphs that `apt-cache show` prints; of several versions of one package the first counts. */
export function parsePackages(text: string): readonly DebianPackage[] {
  const packages = new Map<string, DebianPackage>();
  for (const found of parseVersions(text)) if (!packages.has(found.name)) packages.set(found.name, found);
  return [...packages.values()];
}

/** Reads all of them, with every version of a package. */
export function parseVersions(text: string): readonly DebianPackage[] {
  return text.split(/\n{2,}/).flatMap((paragraph) => parsePackage(paragraph) ?? []);
}

function parsePackage(paragraph: string): DebianPackage | undefined {
  const fields = parseFields(paragraph);
  const name = fields.get('Package');
  const version = fields.get('Version');
  const sha256 = fields.get('SHA256');
  if (name === undefined || version === undefined || sha256 === undefined) return undefined;
  const [, source = name, sourceVersion = version] = /^(\S+)(?: \((\S+)\))?$/.exec(fields.get('Source') ?? '') ?? [];
  return {
    name,
    version,
    architecture: fields.get('Architecture') ?? 'all',
    source,
    sourceVersion,
    homepage: fields.get('Homepage'),
    provides: names(fields.get('Provides')).flat(),
    depends: [...names(fields.get('Pre-Depends')), ...names(fields.get('Depends'))],
    sha256,
    size: Number(fields.get('Size') ?? 0),
  };
}

/** The fields of a paragraph; lines that go on with a blank belong to the field before them, and are left out. */
function parseFields(paragraph: string): ReadonlyMap<string, string> {
  const lines = paragraph.matchAll(/^([A-Za-z][A-Za-z0-9-]*):[ \t]*(.*)$/gm);
  return new Map(Array.from(lines, ([, key = '', value = '']) => [key, value.trim()]));
}

/** Of `a (>= 1) | b, c:any` the names `[[a, b], [c]]`. Versions are the archive's business: it is consistent in itself. */
function names(list: string | undefined): readonly (readonly string[])[] {
  if (list === undefined || list === '') return [];
  return list.split(',').map((group) => group.split('|').map((choice) => /^\s*([^\s:(]+)/.exec(choice)?.[1] ?? ''));
}
