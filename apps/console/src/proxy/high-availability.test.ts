import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { installDefinitions } from '@smalt/bed-kubernetes';
import { readFleetDefinitions } from '@smalt/fleet-api';
import { SettingsFile, startHaService } from '@smalt/ha-service';
import { isJsonObject, type JsonObject } from '@smalt/json';
import { createLogger } from '@smalt/service-runtime';
import { readVmDefinitions } from '@smalt/vm-api';
import { makeSelfSigned } from '@smalt/x509';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import type { ConsoleServer, HighAvailabilityOptions } from '../console-options.ts';
import { startConsoleBed, type BedAnswer, type ConsoleBed } from '../fixtures/console-bed.ts';

const AUDIENCE = 'smalt-ha-service';
const RIGHTS = join(import.meta.dirname, '../../../../deploy/helm/smalt/files/rbac');
const PLACES: Readonly<Record<string, string>> = {
  ServiceAccount: '/api/v1/namespaces/smalt-system/serviceaccounts',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
};

const owned = new AsyncDisposableStack();
let bed: ConsoleBed;
let console: ConsoleServer;
let highAvailability: HighAvailabilityOptions;
let looker: string;
let operator: string;

beforeAll(async () => {
  bed = owned.use(await startConsoleBed());
  const signal = AbortSignal.timeout(110_000);
  await installDefinitions(bed.admin, [...(await readFleetDefinitions()), ...(await readVmDefinitions())], signal);
  await post('/api/v1/namespaces', { metadata: { name: 'smalt-system' } });
  // The rights that a cluster is given, and no others.
  for (const file of ['console.yaml', 'ha-service.yaml']) await install(file);
  highAvailability = await startHighAvailability(signal);
  console = await bed.again({ highAvailability });
  looker = await bed.signIn(await bed.token('lena', 'smalt-ha-viewer'));
  operator = await bed.signIn(await bed.token('otto', 'smalt-ha-operator'));
});
afterAll(() => owned.disposeAsync());

it('is said to be there', async () => {
  expect((await ask('GET', '/session', looker)).body).toMatchObject({ hasHighAvailability: true });
  expect((await bed.call('GET', '/ha/v1/status', { cookie: looker })).status).toBe(404);
});

it('is asked on behalf of the user, whose rights count there', async () => {
  const body = { note: 'from the page' };

  const [read, refused, done] = [
    await ask('GET', '/ha/v1/hosts', looker),
    await ask('POST', '/ha/v1/pause', looker, body),
    await ask('POST', '/ha/v1/pause', operator, body),
  ];
  const journal = await ask('GET', '/ha/v1/journal?limit=1', looker);

  expect([read.status, refused.status, done.status]).toEqual([200, 403, 200]);
  expect(journal.text).toContain(
    'system:serviceaccount:default:otto (through system:serviceaccount:smalt-system:smalt-console) paused high availability: from the page',
  );
});

it('tells one without a role that it is so, and does not sign them out', async () => {
  const cookie = await bed.signIn(await bed.token('nobody'));

  expect((await ask('GET', '/ha/v1/hosts', cookie)).status).toBe(403);
});

it('is followed like all the rest', async () => {
  const stream = await bed.open(`${console.url}/live`, operator, { origin: console.url });
  const messages = stream.messages(1_048_576);
  await stream.writeText(follow(1));

  const first = await changesOf(messages);
  await ask('POST', '/ha/v1/resume', operator, { note: 'enough' });
  const second = await changesOf(messages);
  stream.destroy();

  expect(first).toMatchObject({ id: 1, isReset: true, isComplete: true });
  expect(statusIn(first)).toMatchObject({ kind: 'Status', isPaused: true });
  expect(second).toMatchObject({ id: 1, isReset: false });
  expect(statusIn(second)).toMatchObject({ isPaused: false });
});

it('is followed once by a page, and by so many pages of one user', async () => {
  const few = await bed.again({ highAvailability, limits: { mostChangesOfUser: 1 } });
  const [first, second, others] = await Promise.all(
    [looker, looker, operator].map((cookie) => bed.open(`${few.url}/live`, cookie, { origin: few.url })),
  );
  const told = first?.messages(1_048_576);

  await first?.writeText(follow(1));
  const kinds = [await nextKind(told)];
  await first?.writeText(follow(2));
  while (kinds.at(-1) === 'changes') kinds.push(await nextKind(told));
  await second?.writeText(follow(1));
  const refused = await nextKind(second?.messages(1_048_576));
  await others?.writeText(follow(1));
  const other = await nextKind(others?.messages(1_048_576));
  const asked = await bed.raw('GET', '/ha/v1/changes', { cookie: looker }, few.port);
  for (const stream of [first, second, others]) stream?.destroy();

  expect([kinds[0], kinds.at(-1), refused, other, asked.status]).toEqual([
    'changes',
    'refused',
    'broken',
    'changes',
    429,
  ]);
});

async function startHighAvailability(signal: AbortSignal): Promise<HighAvailabilityOptions> {
  const path = (name: string): string => join(bed.directory, name);
  const made = makeSelfSigned({ commonName: 'ha', names: ['127.0.0.1'], now: new Date(), days: 2 });
  await Promise.all([writeFile(path('ha.crt'), made.certificate), writeFile(path('ha.key'), made.key)]);
  const settings = {
    listen: '127.0.0.1:0',
    tls: { certificateFile: path('ha.crt'), keyFile: path('ha.key') },
    store: { kind: 'sqlite', path: path('ha.sqlite') },
    kubernetes: { audience: AUDIENCE, leaseNamespace: 'default' },
    compute: { kind: 'virtual-machines' },
    pace: { serviceDownMs: 150_000 },
    fencing: { levels: [{ name: 'person', driver: 'person' }] },
    api: { asksKubernetes: true },
  };
  await writeFile(path('ha.yaml'), JSON.stringify(settings));
  const logger = createLogger({ name: 'ha', level: 'silent', destination: { write: () => undefined } });
  const around = { kubeConfig: bed.config, identity: 'one', environment: {}, logger };
  const service = await startHaService({ ...around, settings: await SettingsFile.open(path('ha.yaml')) }, signal);
  owned.use(service);
  const body = JSON.stringify({ spec: { audiences: [AUDIENCE] } });
  const tokenPath = '/api/v1/namespaces/smalt-system/serviceaccounts/smalt-console/token';
  const token = tokenOf(await bed.admin.request({ method: 'POST', path: tokenPath, body, signal }));
  const url = `https://127.0.0.1:${service.port}`;
  return { url, authority: () => Promise.resolve(made.certificate), token: () => Promise.resolve(token) };
}

function tokenOf(answer: unknown): string {
  const status = isJsonObject(answer) ? answer['status'] : undefined;
  const token = isJsonObject(status) ? status['token'] : undefined;
  if (typeof token !== 'string') throw new Error('there is no token');
  return token;
}

async function install(file: string): Promise<void> {
  for (const document of parseAllDocuments(await readFile(join(RIGHTS, file), 'utf8'))) {
    const place = PLACES[String(document.get('kind'))];
    if (place !== undefined) await post(place, document.toJS());
  }
}

async function post(path: string, object: unknown): Promise<void> {
  await bed.admin.request({ method: 'POST', path, body: JSON.stringify(object) });
}

async function ask(method: string, path: string, cookie: string, body?: JsonObject): Promise<BedAnswer> {
  const headers = { origin: console.url, 'x-smalt-console': '1' };
  return await bed.raw(method, path, { cookie, headers, ...(body && { body }) }, console.port);
}

function follow(id: number): string {
  return JSON.stringify({ kind: 'follow', id, path: '/ha/v1/changes' });
}

async function nextKind(messages: AsyncGenerator<string, void> | undefined): Promise<unknown> {
  for (;;) {
    const { value } = (await messages?.next()) ?? {};
    const [message] = JSON.parse(value ?? '[{}]') as readonly JsonObject[];
    if (message !== undefined) return message['kind'];
  }
}

async function changesOf(messages: AsyncGenerator<string, void>): Promise<JsonObject> {
  for (;;) {
    const { value } = await messages.next();
    const [message] = JSON.parse(value ?? '[]') as readonly JsonObject[];
    if (message === undefined) throw new Error('it has ended');
    if (message['kind'] !== 'changes') throw new Error(JSON.stringify(message));
    if (statusIn(message) !== undefined) return message;
  }
}

function statusIn({ put }: JsonObject): JsonObject | undefined {
  return (put as readonly JsonObject[]).find(({ kind }) => kind === 'Status');
}
