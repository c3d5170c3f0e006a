import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BLOBS = 'blobs/sha256';

interface Descriptor {
  readonly digest: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * The image of an archive as that of another version: the same files, with another tag and another digest. It is for nodes that have the
 * first one: layers are not in it. Gives the path of its archive.
 */
export async function makeNextImage(archive: string, tag: string, directory: string): Promise<string> {
  const place = join(directory, `${basename(archive)}.${tag}`);
  const blobs = join(place, BLOBS);
  await mkdir(blobs, { recursive: true });
  const read = async (name: string): Promise<string> => (await run('tar', ['-xOf', archive, name])).stdout;
  const index = JSON.parse(await read('index.json'));
  const [pointer]: readonly Descriptor[] = index.manifests;
  const manifest = JSON.parse(await read(pathOf(pointer)));
  const config = JSON.parse(await read(pathOf(manifest.config)));
  config.config.Labels['org.opencontainers.image.version'] = tag;
  const changed = { ...manifest, config: { ...manifest.config, ...(await write(blobs, config)) } };
  const name = pointer?.annotations?.['io.containerd.image.name']?.replace(/:[^:]*$/v, `:${tag}`);
  const manifests = [
    { ...pointer, ...(await write(blobs, changed)), annotations: { 'io.containerd.image.name': name } },
  ];
  await writeFile(join(place, 'index.json'), JSON.stringify({ ...index, manifests }));
  await writeFile(join(place, 'oci-layout'), await read('oci-layout'));
  await run('tar', ['-cf', `${place}.tar`, '-C', place, 'oci-layout', 'index.json', 'blobs']);
  return `${place}.tar`;
}

async function write(blobs: string, content: unknown): Promise<{ readonly digest: string; readonly size: number }> {
  const bytes = Buffer.from(JSON.stringify(content));
  const digest = createHash('sha256').update(bytes).digest('hex');
  await writeFile(join(blobs, digest), bytes);
  return { digest: `sha256:${digest}`, size: bytes.length };
}

function pathOf(descriptor: Descriptor | undefined): string {
  return `${BLOBS}/${descriptor?.digest.replace('sha256:', '') ?? ''}`;
}
