import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

import { tarArchive, type TarEntry } from './tar-archive.ts';

/** What an image consists of. */
export interface ImageContent {
  /** With its registry and tag, such as `smalt.local/busybox:1`. */
  readonly name: string;
  readonly entries: readonly TarEntry[];
  readonly entrypoint?: readonly string[] | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

interface Blob {
  readonly digest: string;
  readonly content: Buffer;
}

const TYPE = 'application/vnd.oci.image';

/** Writes an image of one layer as an OCI archive, which `importImage` takes. */
export async function writeImage(path: string, content: ImageContent): Promise<void> {
  const layer = blob(tarArchive(content.entries));
  const config = blob(JSON.stringify(imageConfig(content, layer)));
  const manifest = blob(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: `${TYPE}.manifest.v1+json`,
      config: descriptor('config.v1+json', config),
      layers: [descriptor('layer.v1.tar', layer)],
    }),
  );
  const index = {
    schemaVersion: 2,
    mediaType: `${TYPE}.index.v1+json`,
    manifests: [
      {
        ...descriptor('manifest.v1+json', manifest),
        platform: { architecture: 'amd64', os: 'linux' },
        annotations: { 'io.containerd.image.name': content.name },
      },
    ],
  };
  const archive = tarArchive([
    file('oci-layout', Buffer.from(JSON.stringify({ imageLayoutVersion: '1.0.0' }))),
    file('index.json', Buffer.from(JSON.stringify(index))),
    ...[layer, config, manifest].map((each) => file(`blobs/sha256/${each.digest}`, each.content)),
  ]);
  await writeFile(path, archive);
}

function imageConfig(content: ImageContent, layer: Blob): object {
  const environment = Object.entries(content.environment ?? {}).map(([name, value]) => `${name}=${value}`);
  return {
    architecture: 'amd64',
    os: 'linux',
    config: { Entrypoint: content.entrypoint ?? [], Env: environment, WorkingDir: '/' },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layer.digest}`] },
  };
}

function blob(content: Buffer | string): Blob {
  const bytes = Buffer.from(content);
  return { digest: createHash('sha256').update(bytes).digest('hex'), content: bytes };
}

function descriptor(type: string, { digest, content }: Blob): object {
  return { mediaType: `${TYPE}.${type}`, digest: `sha256:${digest}`, size: content.length };
}

function file(path: string, content: Buffer): TarEntry {
  return { kind: 'file', path, content };
}
