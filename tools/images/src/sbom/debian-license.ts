/** Names of licences in Debian's copyright files, and what SPDX calls them. */
const SPDX_NAMES: ReadonlyMap<string, string> = new Map([
  ['apache-2', 'Apache-2.0'],
  ['apache-2.0', 'Apache-2.0'],
  ['artistic', 'Artistic-1.0-Perl'],
  ['bsd-2-clause', 'BSD-2-Clause'],
  ['bsd-3-clause', 'BSD-3-Clause'],
  ['bsd-4-clause', 'BSD-4-Clause'],
  ['bsl-1.0', 'BSL-1.0'],
  ['cc0', 'CC0-1.0'],
  ['cc0-1.0', 'CC0-1.0'],
  ['curl', 'curl'],
  ['expat', 'MIT'],
  ['gfdl-1.3', 'GFDL-1.3-only'],
  ['gfdl-1.3+', 'GFDL-1.3-or-later'],
  ['gpl-1', 'GPL-1.0-only'],
  ['gpl-1+', 'GPL-1.0-or-later'],
  ['gpl-2', 'GPL-2.0-only'],
  ['gpl-2+', 'GPL-2.0-or-later'],
  ['gpl-2.0', 'GPL-2.0-only'],
  ['gpl-2.0+', 'GPL-2.0-or-later'],
  ['gpl-2.0-only', 'GPL-2.0-only'],
  ['gpl-2.0-or-later', 'GPL-2.0-or-later'],
  ['gpl-3', 'GPL-3.0-only'],
  ['gpl-3+', 'GPL-3.0-or-later'],
  ['isc', 'ISC'],
  ['lgpl-2', 'LGPL-2.0-only'],
  ['lgpl-2+', 'LGPL-2.0-or-later'],
  ['lgpl-2.0+', 'LGPL-2.0-or-later'],
  ['lgpl-2.1', 'LGPL-2.1-only'],
  ['lgpl-2.1+', 'LGPL-2.1-or-later'],
  ['lgpl-2.1-or-later', 'LGPL-2.1-or-later'],
  ['lgpl-3', 'LGPL-3.0-only'],
  ['lgpl-3+', 'LGPL-3.0-or-later'],
  ['mit', 'MIT'],
  ['mpl-2.0', 'MPL-2.0'],
  ['openssl', 'OpenSSL'],
  ['x11', 'X11'],
  ['zlib', 'Zlib'],
]);

export interface DeclaredLicense {
  /** An expression of SPDX, or that nothing is asserted. */
  readonly expression: string;
  /** What the file names, where not all of it has a name in SPDX. */
  readonly comment: string | undefined;
}

/** What a package's copyright file declares, if a machine can read it. */
export function debianLicense(copyright: string | undefined): DeclaredLicense {
  const names = copyright?.startsWith('Format:') === true ? namesIn(copyright) : [];
  if (names.length === 0) return { expression: 'NOASSERTION', comment: undefined };
  const known = names.map((name) => SPDX_NAMES.get(name.toLowerCase()));
  if (known.every((name) => name !== undefined)) {
    return { expression: [...new Set(known)].toSorted().join(' AND '), comment: undefined };
  }
  return { expression: 'NOASSERTION', comment: `Debian's copyright file names: ${names.join(', ')}` };
}

/** Each paragraph about files names licences, joined by `and` and `or`: all of them are named, since all may count. */
function namesIn(copyright: string): readonly string[] {
  const fields = copyright.matchAll(/^License:[ \t]*(\S.*)$/gim);
  const names = Array.from(fields, ([, field = '']) => field.split(/\s+(?:and|or|and\/or)\s+|,\s*/i)).flat();
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))].toSorted();
}
