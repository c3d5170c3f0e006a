import { randomUUID } from 'node:crypto';
import { access, link, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { isKubeError, type KubeClient } from '@smalt/kube';
import { messageOf } from '@smalt/service-runtime';

import type { ClusterFlags } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import { openCluster } from '../output/open-cluster.ts';
import { SmaltError } from '../smalt-error.ts';
import { STORE_HEAD_BYTES, storeProblem } from './store-problem.ts';

const PATH = '/smalt/backup';
/** How long the server may be silent in the midst of it. */
const IDLE_TIMEOUT_MS = 60_000;

/** Copies the store of the API server to a file for its owner alone. The file is there as a whole or not at all, and never replaces one. */
export async function runBackup(
  program: Pick<CommandProgram, 'environment' | 'output' | 'signal'>,
  file: string,
  flags: ClusterFlags,
): Promise<void> {
  const path = resolve(file);
  if (await isThere(path)) throw alreadyThere(path);
  await using cluster = await openCluster(program, flags);
  const size = await writeWhole(path, (partial) => fetchStore(cluster.client, partial, program.signal));
  await program.output.write(`all objects are in ${path} (${size} bytes); Secrets are among them\n`);
}

async function fetchStore(client: KubeClient, file: FileHandle, signal: AbortSignal): Promise<number> {
  let size = 0;
  for await (const bytes of await openStream(client, signal)) {
    await file.writeFile(bytes);
    size += bytes.length;
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(STORE_HEAD_BYTES), 0, STORE_HEAD_BYTES, 0);
  const problem = storeProblem(buffer.subarray(0, bytesRead), size);
  if (problem !== undefined) throw new SmaltError('failed', `what the API server sent cannot be used: ${problem}`);
  await file.sync();
  return size;
}

async function openStream(client: KubeClient, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
  try {
    return await client.stream({ method: 'POST', path: PATH, accept: '*/*', signal, idleTimeoutMs: IDLE_TIMEOUT_MS });
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw error;
    const next = 'it is not the one of smalt up or smalt apiserver; a Kubernetes is backed up by etcdctl snapshot save';
    throw new SmaltError('not-found', `this API server has no ${PATH}: ${next}`, { cause: error });
  }
}

async function writeWhole(path: string, fill: (file: FileHandle) => Promise<number>): Promise<number> {
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    await using file = await openNew(partial, path);
    const size = await fill(file);
    await giveName(partial, path);
    return size;
  } finally {
    await rm(partial, { force: true });
  }
}

async function openNew(partial: string, path: string): Promise<FileHandle> {
  try {
    return await open(partial, 'wx+', 0o600);
  } catch (error) {
    throw new SmaltError('failed', `${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

/** Unlike a renamed file, a link never takes the place of one that has come meanwhile. */
async function giveName(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw alreadyThere(path, { cause: error });
    throw new SmaltError('failed', `${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
  await using directory = await open(dirname(path));
  await directory.sync();
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

function alreadyThere(path: string, options?: ErrorOptions): SmaltError {
  return new SmaltError('refused', `${path} is there already: name another file`, options);
}
