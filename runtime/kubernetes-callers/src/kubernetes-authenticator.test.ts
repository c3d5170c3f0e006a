import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, request, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

import { startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import type { JsonValue } from '@smalt/json';
import { KubeClient, loadKubeConfig, type FileOrText, type KubeConfig } from '@smalt/kube';
import { makeSelfSigned } from '@smalt/x509';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AccessReviews } from './access-reviews.ts';
import { ClientAuthority } from './client-authority.ts';
import { KubernetesAuthenticator } from './kubernetes-authenticator.ts';
import type { ReviewedUser } from './reviewed-user.ts';
import { TokenReviews } from './token-reviews.ts';

const clock = { now: () => performance.now() };
const own = makeSelfSigned({ commonName: 'service', names: ['127.0.0.1'], now: new Date(), days: 1 });
const owned = new AsyncDisposableStack();
const signal = AbortSignal.timeout(60_000);
let api: TestApiServer;
let client: KubeClient;
let config: KubeConfig;
let port: number;

beforeAll(async () => {
  api = owned.use(await startTestApiServer({ signal }));
  config = await loadKubeConfig({ path: api.kubeconfig, environment: {} });
  client = owned.use(new KubeClient({ config, userAgent: 'test/1', maxAttempts: 1 }));
  port = await serve();
});

afterAll(() => owned.disposeAsync());

describe('KubernetesAuthenticator', () => {
  it('knows the holder of a token of the cluster', async () => {
    const token = await tokenOf('vera');

    const { user } = await ask({ headers: { authorization: `Bearer ${token}` } });

    expect(user).toMatchObject({ name: 'system:serviceaccount:default:vera' });
  });

  it('knows the holder of a client certificate of the cluster: the common name is the user, organizations are groups', async () => {
    const { user } = await ask(adminCertificate());

    expect(user).toEqual({
      name: 'admin',
      user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
    });
  });

  it('goes by the token where a request shows both', async () => {
    const token = await tokenOf('both');

    const { user } = await ask({ ...adminCertificate(), headers: { authorization: `Bearer ${token}` } });

    expect(user).toMatchObject({ name: 'system:serviceaccount:default:both' });
  });

  it.each([
    ['no token and no certificate', {}, 'shows no token, and no certificate that the cluster knows'],
    ['a token of nobody', { headers: { authorization: 'Bearer abc' } }, 'does not know this token'],
    ['another kind of secret', { headers: { authorization: 'Basic YTpi' } }, 'is no bearer token'],
    ['a certificate that says admin and is signed by another', selfSigned('admin'), 'no certificate that the cluster'],
  ])('knows nobody by %s', async (_, options, message) => {
    const { error } = await ask(options);

    expect(error).toContain(message);
  });
});

describe('AccessReviews', () => {
  const attributes = { group: 'ovs.c5c3.io', resource: 'ovsnodes', subresource: 'trace', verb: 'create', name: 'n1' };

  it('says what the cluster says, and asks once in ten seconds', async () => {
    let asked = 0;
    let now = 0;
    const counting: Pick<KubeClient, 'request'> = {
      request: async (options) => {
        asked++;
        return await client.request(options);
      },
    };
    const access = new AccessReviews({ client: counting, clock: { now: () => now } });
    const admin: ReviewedUser = { name: 'admin', user: { username: 'admin', groups: ['system:masters'] } };
    const nobody: ReviewedUser = { name: 'nobody', user: { username: 'nobody', groups: [] } };

    const answers = [
      await access.may(admin, attributes, signal),
      await access.may(nobody, attributes, signal),
      await access.may(admin, attributes, signal),
    ];
    now = 10_001;
    answers.push(await access.may(admin, attributes, signal));

    expect([answers, asked]).toEqual([[true, false, true, true], 3]);
  });

  it('lets nobody in while the cluster is away', async () => {
    const away: Pick<KubeClient, 'request'> = { request: () => Promise.reject(new Error('away')) };
    const access = new AccessReviews({ client: away, clock });

    const asking = access.may({ name: 'admin', user: { username: 'admin' } }, attributes, signal);

    await expect(asking).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('ClientAuthority', () => {
  it('is read once a minute, and soon again after it could not be read', async () => {
    let now = 0;
    const answers: (() => Promise<JsonValue>)[] = [
      () => Promise.reject(new Error('away')),
      () => Promise.resolve({ data: { 'client-ca-file': 'one' } }),
      () => Promise.resolve({ data: {} }),
    ];
    const authority = new ClientAuthority({
      client: { request: () => answers.shift()?.() ?? Promise.reject(new Error('too often')) },
      clock: { now: () => now },
    });

    await expect(authority.get(signal)).rejects.toMatchObject({ code: 'unavailable' });
    now = 2_001;
    const read = [await authority.get(signal), await authority.get(signal)];
    now = 70_000;
    read.push(await authority.get(signal));

    expect(read).toEqual(['one', 'one', '']);
  });
});

/** A service that says whom it takes a caller for. */
async function serve(): Promise<number> {
  const authority = new ClientAuthority({ client, clock });
  const reviews = new TokenReviews({ client, audience: () => '' });
  const authenticator = new KubernetesAuthenticator({ reviews, authority, clock });
  const ca = await authority.get(signal);
  const tls = { key: own.key, cert: own.certificate, ca, requestCert: true, rejectUnauthorized: false };
  const server = createServer(tls, (asked, response) => {
    authenticator.authenticate(asked, signal).then(
      (user) => response.end(JSON.stringify({ user })),
      (error: unknown) => response.end(JSON.stringify({ error: String(error) })),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  owned.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function ask(options: RequestOptions): Promise<{ readonly user?: ReviewedUser; readonly error?: string }> {
  const sent = request({ host: '127.0.0.1', port, ca: own.certificate, agent: false, ...options }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return JSON.parse((await response.toArray()).join(''));
}

function selfSigned(commonName: string): RequestOptions {
  const { key, certificate } = makeSelfSigned({ commonName, names: [], now: new Date(), days: 1 });
  return { key, cert: certificate };
}

function adminCertificate(): RequestOptions {
  if (config.identity.kind !== 'certificate') throw new TypeError('the kubeconfig has no certificate');
  return { key: textOf(config.identity.key), cert: textOf(config.identity.certificate) };
}

function textOf(from: FileOrText): string {
  return from.kind === 'text' ? from.text : '';
}

async function tokenOf(name: string): Promise<string> {
  const path = '/api/v1/namespaces/default/serviceaccounts';
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } };
  await client.request({ method: 'POST', path, body: JSON.stringify(account) });
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3_600 } };
  const body = JSON.stringify(review);
  const answer = await client.request({ method: 'POST', path: `${path}/${name}/token`, body });
  return String(Object(Object(answer).status).token);
}
