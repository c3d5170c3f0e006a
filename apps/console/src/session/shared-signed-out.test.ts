import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { KubeClient, type KubeConfig } from '@smalt/kube';
import type { WebSocketStream } from '@smalt/websocket';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import type { ConsoleServer } from '../console-options.ts';
import { startConsoleBed, type BedAnswer, type ConsoleBed } from '../fixtures/console-bed.ts';

const RIGHTS = join(import.meta.dirname, '../../../../deploy/helm/smalt/files/rbac/console.yaml');
const NAMESPACE = 'smalt-system';
const NAME = 'smalt-console-signed-out';
const MAP = `/api/v1/namespaces/${NAMESPACE}/configmaps/${NAME}`;
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const PLACES: Readonly<Record<string, string>> = {
  ServiceAccount: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
  ClusterRole: `${RBAC}/clusterroles`,
  ClusterRoleBinding: `${RBAC}/clusterrolebindings`,
  Role: `${RBAC}/namespaces/${NAMESPACE}/roles`,
  RoleBinding: `${RBAC}/namespaces/${NAMESPACE}/rolebindings`,
};
const SOON = { timeout: 15_000 };

let bed: ConsoleBed;
let apiServer: KubeConfig;
let replicas: readonly ConsoleServer[];
let token: string;

beforeAll(async () => {
  bed = await startConsoleBed();
  await post('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  for (const document of parseAllDocuments(await readFile(RIGHTS, 'utf8'))) {
    await post(PLACES[String(document.get('kind'))] ?? '', document.toJS());
  }
  await post(`/api/v1/namespaces/${NAMESPACE}/configmaps`, { metadata: { name: NAME } });
  const text = await ownToken();
  apiServer = { ...bed.config, identity: { kind: 'token', token: { kind: 'text', text } } };
  replicas = [await startReplica(), await startReplica()];
  token = await bed.token('somebody', 'view');
});
afterAll(() => bed[Symbol.asyncDispose]());

it('ends a session at every replica, and at those that start later', async () => {
  const [here, there] = replicas;
  const cookie = await bed.signIn(token);
  const other = await bed.signIn(token);
  const stream = await bed.open(`${there?.url}/live`, cookie, { origin: there?.url ?? '' });
  const before = await Promise.all(replicas.map((replica) => statusAt(replica, cookie)));

  const left = await ask(here, 'DELETE', '/session', cookie);
  await expect.poll(() => statusAt(there, cookie), SOON).toBe(401);
  const later = await startReplica();

  expect([before, left.status]).toEqual([[200, 200], 204]);
  await expect(untilEnded(stream)).rejects.toMatchObject({ code: 'closed', message: 'sign in again' });
  expect(await statusAt(later, cookie)).toBe(401);
  expect(await Promise.all([here, there, later].map((replica) => statusAt(replica, other)))).toEqual([200, 200, 200]);
});

it('keeps nothing by which a session could be opened, and clears away what is over', async () => {
  await bed.admin.request({
    method: 'PATCH',
    path: MAP,
    contentType: 'application/merge-patch+json',
    body: '{"data":{"old":"1000"}}',
  });
  const cookie = await bed.signIn(token);
  await expect.poll(async () => Object.keys(await kept())).toContain('old');

  await expect
    .poll(async () => {
      await ask(replicas[0], 'DELETE', '/session', await bed.signIn(token));
      return Object.keys(await kept());
    }, SOON)
    .not.toContain('old');

  const text = JSON.stringify(await kept());
  expect(text).not.toContain(token.slice(0, 20));
  expect(text).not.toContain(cookie.split('=')[1]?.slice(0, 20));
  expect(Object.values(await kept()).every((until) => Number(until) > Date.now())).toBe(true);
});

it('may do no more with its own account than it needs', async () => {
  await using own = new KubeClient({ config: apiServer, userAgent: 'test/1' });
  const elsewhere = [
    // By name: a list that is refused would look like one that the console needs.
    `/api/v1/namespaces/${NAMESPACE}/configmaps/another`,
    `/api/v1/namespaces/${NAMESPACE}/secrets`,
    '/api/v1/namespaces/default/configmaps',
  ];

  for (const path of elsewhere) {
    await expect(own.request({ method: 'GET', path })).rejects.toMatchObject({ code: 'forbidden' });
  }
  await expect(own.request({ method: 'DELETE', path: MAP })).rejects.toMatchObject({ code: 'forbidden' });
});

it('says that it cannot be written down now, ends the session here all the same, and writes it down later', async () => {
  const cookie = await bed.signIn(token);
  const before = Object.keys(await kept()).length;
  await bed.stopServer();

  const left = await ask(replicas[0], 'DELETE', '/session', cookie);
  const after = await ask(replicas[0], 'GET', '/session', cookie);
  await bed.startServer();

  expect([left.status, left.body['message']]).toEqual([503, expect.stringMatching(/^this browser is signed out/)]);
  expect([after.status, left.headers['set-cookie']?.[0]]).toEqual([401, expect.stringContaining('Max-Age=0')]);
  await expect.poll(async () => Object.keys(await kept()).length, { timeout: 30_000 }).toBe(before + 1);
  await expect.poll(() => statusAt(replicas[1], cookie), { timeout: 30_000 }).toBe(401);
});

it('lets nobody in by a cookie before it knows who signed out', async () => {
  const cookie = await bed.signIn(token);
  const other = await bed.signIn(token);
  await bed.stopServer();
  const late = await startReplica();

  const answer = await ask(late, 'GET', '/apis', cookie);
  const left = await ask(late, 'DELETE', '/session', other);

  expect([answer.status, answer.body['message']]).toEqual([503, expect.stringContaining('who signed out')]);
  expect([left.status, left.headers['set-cookie']?.[0]]).toEqual([503, expect.stringContaining('Max-Age=0')]);
  await bed.startServer();
  await expect.poll(() => statusAt(replicas[0], other), { timeout: 30_000 }).toBe(401);
  await expect.poll(() => statusAt(late, cookie), { timeout: 30_000 }).toBe(200);
});

it('refuses to start without an account of its own', async () => {
  const anonymous = { ...apiServer, identity: { kind: 'anonymous' } } as const;

  await expect(bed.again({ apiServer: anonymous, ...shared() })).rejects.toMatchObject({
    code: 'bad-setting',
    message: expect.stringMatching(/^signedOutConfigMap: /),
  });
});

/** Reads what a stream says until it is closed; rejects with why. */
async function untilEnded(stream: WebSocketStream): Promise<void> {
  for await (const message of stream.messages(65_536)) expect(message).toBeDefined();
}

function shared(): {
  readonly signedOutFile: undefined;
  readonly signedOutConfigMap: { readonly namespace: string; readonly name: string };
} {
  return { signedOutFile: undefined, signedOutConfigMap: { namespace: NAMESPACE, name: NAME } };
}

async function startReplica(): Promise<ConsoleServer> {
  return await bed.again({ apiServer, ...shared() });
}

async function statusAt(replica: ConsoleServer | undefined, cookie: string): Promise<number> {
  return (await ask(replica, 'GET', '/session', cookie)).status;
}

async function ask(
  replica: ConsoleServer | undefined,
  method: string,
  path: string,
  cookie: string,
): Promise<BedAnswer> {
  const headers = { origin: replica?.url ?? '', 'x-smalt-console': '1' };
  return await bed.raw(method, path, { cookie, headers }, replica?.port);
}

async function kept(): Promise<Readonly<Record<string, string>>> {
  const map = await bed.admin.request({ method: 'GET', path: MAP });
  return Object(Object(map)['data']);
}

async function ownToken(): Promise<string> {
  const path = `${PLACES['ServiceAccount']}/smalt-console/token`;
  const answer = await bed.admin.request({ method: 'POST', path, body: '{"spec":{}}' });
  return String(Object(Object(answer)['status'])['token']);
}

async function post(path: string, object: unknown): Promise<void> {
  await bed.admin.request({ method: 'POST', path, body: JSON.stringify(object) });
}
