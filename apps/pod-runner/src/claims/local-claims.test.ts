import { randomUUID } from 'node:crypto';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { createLogger } from '@smalt/service-runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { volumeKind, type PersistentVolume } from '../volumes/volume-kinds.ts';
import { LocalClaims } from './local-claims.ts';
import { localVolume } from './local-volume.ts';

const NODE = 'n1';
const SIGNAL = AbortSignal.timeout(120_000);

const stack = new AsyncDisposableStack();
let client: KubeClient;
let volumesDirectory: string;
let claims: LocalClaims;

beforeAll(async () => {
  const server = stack.use(await startTestApiServer({ signal: SIGNAL }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = stack.use(new KubeClient({ config, userAgent: 'local-claims-test/1' }));
  ({ path: volumesDirectory } = stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-local-claims-'))));
  const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } });
  claims = new LocalClaims({ client, logger, nodeName: NODE, volumesDirectory, usesPath: () => false });
});

afterAll(() => stack.disposeAsync());

it('removes a volume whose claim is gone', async () => {
  const { volume, file } = await writtenVolume();

  await claims.reclaim(volume.metadata.name, volume, SIGNAL);

  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

it('leaves a volume that is to be retained by now, whatever it was when it was seen', async () => {
  const { volume: seen, file } = await writtenVolume();
  const { name } = seen.metadata;
  await client.resource(volumeKind).patch(name, 'merge', { spec: { persistentVolumeReclaimPolicy: 'Retain' } });

  await claims.reclaim(name, seen, SIGNAL);

  expect(await readFile(file, 'utf8')).toBe('contents');
  expect(await client.resource(volumeKind).get(name)).toMatchObject({ metadata: { uid: seen.metadata.uid } });
});

it('leaves a volume that belongs to another claim by now', async () => {
  const { volume: seen, file } = await writtenVolume();
  const { name } = seen.metadata;
  await client.resource(volumeKind).patch(name, 'merge', { spec: { claimRef: { name: 'new', uid: randomUUID() } } });

  await claims.reclaim(name, seen, SIGNAL);

  expect(await readFile(file, 'utf8')).toBe('contents');
});

it('leaves what lies where a volume lay that is another one by now', async () => {
  const { volume: made, file } = await writtenVolume();
  const seen = { ...made, metadata: { ...made.metadata, uid: randomUUID() } };

  await claims.reclaim(seen.metadata.name, seen, SIGNAL);

  expect(await readFile(file, 'utf8')).toBe('contents');
});

/** A volume with a file in it, of a claim that is gone. */
async function writtenVolume(): Promise<{ readonly volume: PersistentVolume; readonly file: string }> {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default', uid: randomUUID() },
    spec: {},
  };
  const draft = localVolume(claim, { nodeName: NODE, volumesDirectory });
  const { path } = draft.spec.hostPath;
  const file = join(path, 'disk.img');
  await mkdir(path);
  await writeFile(file, 'contents');
  return { volume: await client.resource(volumeKind).create(draft), file };
}
