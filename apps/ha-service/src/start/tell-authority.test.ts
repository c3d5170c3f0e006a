import { mkdtempDisposable, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestApiServer } from '@smalt/bed-kubernetes';
import { systemClock } from '@smalt/controller-runtime';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { makeSelfSigned } from '@smalt/x509';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { configMapKind, tellAuthority } from './tell-authority.ts';

const NAMESPACE = 'default';
const SOON_MS = 20;

const owned = new AsyncDisposableStack();
let client: KubeClient;
let file: string;

beforeAll(async () => {
  const server = owned.use(await startTestApiServer({ signal: AbortSignal.timeout(110_000) }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  file = join(owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-authority-'))).path, 'ca.crt');
});

afterAll(() => owned.disposeAsync());

it('tells what the file says, whoever changes the one or the other', async () => {
  const [first, second] = [authority('first'), authority('second')];
  await write(first);
  await make('told', { 'ca.crt': 'of somebody else', other: 'stays' });
  await using _telling = tell('told');

  await expect.poll(() => read('told')).toEqual({ 'ca.crt': first, other: 'stays' });
  await write(second);
  await expect.poll(() => read('told')).toEqual({ 'ca.crt': second, other: 'stays' });
  await client.resource(configMapKind).patch('told', 'merge', { data: null }, { namespace: NAMESPACE });

  await expect.poll(() => read('told')).toEqual({ 'ca.crt': second });
});

it('leaves what it has told while the file is no authority, and says so once', async () => {
  const good = authority('good');
  await write(good);
  await make('kept');
  await using telling = tell('kept');
  await expect.poll(() => read('kept')).toEqual({ 'ca.crt': good });

  await write('');
  await expect.poll(() => telling.warnings).toHaveLength(1);
  const looks = telling.looks();
  await expect.poll(() => telling.looks()).toBeGreaterThan(looks + 2);

  expect(telling.warnings[0]).toMatchObject({
    configMap: 'kept',
    error: expect.objectContaining({ code: 'bad-file' }),
  });
  expect(telling.warnings).toHaveLength(1);
  expect(await read('kept')).toEqual({ 'ca.crt': good });
});

interface Telling extends AsyncDisposable {
  readonly warnings: readonly object[];
  looks(): number;
}

function tell(configMap: string): Telling {
  const stop = new AbortController();
  const warnings: object[] = [];
  let looks = 0;
  const clock = {
    now: () => Date.now(),
    wait: (_milliseconds: number, signal: AbortSignal) => {
      looks++;
      return systemClock.wait(SOON_MS, signal);
    },
  };
  const logger = { warn: (fields: object) => void warnings.push(fields) };
  const settings = (): { readonly file: string; readonly configMap: string } => ({ file, configMap });
  const over = tellAuthority({ client, clock, logger, settings, namespace: NAMESPACE }, stop.signal);
  return {
    warnings,
    looks: () => looks,
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the test is over'));
      await over;
    },
  };
}

function authority(commonName: string): string {
  return makeSelfSigned({ commonName, names: [commonName], now: new Date(), days: 2 }).certificate;
}

/** At once, as a kubelet does. */
async function write(text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

async function make(name: string, data: Readonly<Record<string, string>> = {}): Promise<void> {
  await client.resource(configMapKind).create({ metadata: { name, namespace: NAMESPACE }, data });
}

async function read(name: string): Promise<unknown> {
  return (await client.resource(configMapKind).get(name, { namespace: NAMESPACE })).data;
}
