import { file, completeTree, type FileTree } from '../tree/file-tree.ts';
import { sha256, type Layer } from './layer.ts';

/** What an image says of itself. */
export interface ImageDescription {
  /** Names with a tag, such as `smalt.local/smalt:0.1.0`; all stand for this one image. */
  readonly references: readonly string[];
  readonly title: string;
  readonly version: string;
  /** The commit it was made of. */
  readonly revision: string | undefined;
  /** Seconds since 1970. */
  readonly created: number;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface ImageArchive {
  /** Of the manifest: what an image is pulled by. */
  readonly digest: string;
  /** The files of the archive, in the layout of OCI. */
  readonly tree: FileTree;
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const PLATFORM = { architecture: 'amd64', os: 'linux' } as const;

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** One image as an archive that containerd, podman, skopeo and Docker take. */
export function imageArchive(description: ImageDescription, layers: readonly Layer[]): ImageArchive {
  const config = json(imageConfig(description, layers));
  const manifest = json({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: descriptor(CONFIG, config),
    layers: layers.map(({ mediaType, content }) => descriptor(mediaType, content)),
    annotations: annotations(description),
  });
  const pointer = descriptor(MANIFEST, manifest);
  const index = json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: description.references.map((reference) => ({
      ...pointer,
      platform: PLATFORM,
      // containerd and Docker read the first, podman and skopeo the second.
      annotations: {
        'io.containerd.image.name': reference,
        'org.opencontainers.image.ref.name': reference.slice(reference.lastIndexOf(':') + 1),
      },
    })),
  });
  const blobs = [config, manifest, ...layers.map(({ content }) => content)];
  const tree = completeTree([
    ['oci-layout', file('{"imageLayoutVersion":"1.0.0"}')],
    ['index.json', file(index)],
    ...blobs.map((content) => [`blobs/sha256/${sha256(content)}`, file(content)] as const),
  ]);
  return { digest: pointer.digest, tree };
}

function imageConfig(description: ImageDescription, layers: readonly Layer[]): unknown {
  const created = timeText(description.created);
  return {
    created,
    ...PLATFORM,
    config: {
      User: description.user,
      Env: Object.entries(description.environment).map(([name, value]) => `${name}=${value}`),
      Entrypoint: description.entrypoint,
      WorkingDir: '/',
      Labels: annotations(description),
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ name }) => ({ created, created_by: 'npm run images', comment: name })),
  };
}

function annotations(description: ImageDescription): Readonly<Record<string, string>> {
  const { title, version, revision, created } = description;
  const prefix = 'org.opencontainers.image';
  return {
    [`${prefix}.title`]: title,
    [`${prefix}.version`]: version,
    [`${prefix}.created`]: timeText(created),
    [`${prefix}.licenses`]: 'Apache-2.0',
    ...(revision === undefined ? {} : { [`${prefix}.revision`]: revision }),
  };
}

/** A time as OCI and SPDX write it. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function descriptor(mediaType: string, content: Buffer): Descriptor {
  return { mediaType, digest: `sha256:${sha256(content)}`, size: content.length };
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
