import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

import { KubeClient } from '@smalt/kube';
import { createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { DEFAULT_CLUSTER_SETTINGS } from '@smalt/vm-admission';
import { issueCertificate, makeSelfSigned, NO_NAMES, writeSubject } from '@smalt/x509';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { controlPlaneIn } from '../admission/requester-of.ts';
import type { VirtAdmission } from '../admission/virt-admission.ts';
import { ask } from '../fixtures/ask.ts';
import { openVirtApiParts } from '../virt-api-parts.ts';
import { CallServer } from './call-server.ts';
import { readFrontProxySettings } from './front-proxy-authority.ts';

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const HOUR_MS = 3_600_000;

const own = makeSelfSigned({ commonName: 'virt-api', names: ['localhost'], now: new Date(), days: 1 });
const proxy = certificateOf('front-proxy-client');
/** Trusted by the listener, as users' certificates are, and no API server for that. */
const user = certificateOf('ann');
const proven: boolean[] = [];
let server: Server;

beforeAll(async () => {
  const calls = await openCalls();
  const options = { key: own.key, cert: own.certificate, ca: [proxy.cert, user.cert], requestCert: true };
  server = createServer({ ...options, rejectUnauthorized: false }, (request, response) => {
    void calls.handle(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterAll(() => server.close());

it.each([
  { who: 'an API server', tls: proxy, path: '/pod-eviction-validate', isProven: true },
  { who: 'an API server about something else', tls: proxy, path: '/virtualmachines-validate', isProven: false },
  { who: 'a user with a certificate', tls: user, path: '/pod-eviction-validate', isProven: false },
  {
    who: 'somebody with a forged one',
    tls: certificateOf('front-proxy-client'),
    path: '/pod-eviction-validate',
    isProven: false,
  },
  { who: 'somebody without one', tls: {}, path: '/pod-eviction-validate', isProven: false },
])('takes a review of $who for proven: $isProven', async ({ tls, path, isProven }) => {
  const resource = { group: '', version: 'v1', resource: 'pods' };
  const request = { uid: 'u', operation: 'CREATE', resource, subResource: 'eviction', namespace: 'default', name: 'p' };
  const body = JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request });
  proven.length = 0;

  const { port } = addressOf(server);
  const { code } = await ask('POST', `https://localhost:${port}${path}`, { ca: own.certificate, ...tls, body });

  expect([code, proven]).toEqual([200, [isProven]]);
});

async function openCalls(): Promise<CallServer> {
  const config = {
    server: 'https://127.0.0.1:1',
    tls: { isInsecure: false },
    identity: { kind: 'anonymous' },
    namespace: 'default',
  } as const;
  const client = new KubeClient({ config, userAgent: 'test/1' });
  const controlPlane = controlPlaneIn('smalt-system');
  const admission: VirtAdmission = {
    mutate: ({ object }) => object,
    validate: (write) => {
      proven.push(write.isProven);
      return Promise.resolve([]);
    },
    checkShape: () => undefined,
  };
  const frontProxy = readFrontProxySettings({
    'requestheader-client-ca-file': proxy.cert,
    'requestheader-allowed-names': '["front-proxy-client"]',
  });
  return new CallServer({
    ...(await openVirtApiParts({
      client,
      settings: DEFAULT_CLUSTER_SETTINGS,
      controlPlane,
      metrics: new MetricsRegistry(),
    })),
    admission,
    frontProxy: { get: () => Promise.resolve(frontProxy) },
    access: { may: () => Promise.resolve(true) },
    logger: createLogger({ name: 'test', destination: { write: () => undefined } }),
    stopping: new AbortController().signal,
  });
}

function addressOf(listening: Server): AddressInfo {
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server does not listen');
  return address;
}

/** A certificate of somebody who connects, and vouches for itself. */
function certificateOf(commonName: string): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = writeSubject({ commonName, organizations: [] });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const usages = { bits: [0], identifiers: [CLIENT_AUTHENTICATION] };
  const times = { notBefore: new Date(Date.now() - HOUR_MS), notAfter: new Date(Date.now() + HOUR_MS) };
  const content = { subject, publicKey: spki, ...times, isAuthority: false, usages, names: NO_NAMES };
  const cert = issueCertificate(content, { subject, publicKey: spki, privateKey });
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}
