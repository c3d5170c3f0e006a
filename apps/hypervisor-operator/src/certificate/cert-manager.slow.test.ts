import { X509Certificate } from 'node:crypto';

import { findCertManager, startCertManager } from '@smalt/bed-kubernetes';
import type { KubernetesObject } from '@smalt/kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { makeHost } from '../fixtures/test-hosts.ts';
import { createCertificateController } from './certificate-controller.ts';
import { defaultCertificateSettings } from './certificate-settings.ts';

const NAMESPACE = 'certificates';
const TIMEOUT_MS = 240_000;
const ISSUED = { timeout: 60_000, interval: 200 };
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const certManager = findCertManager();
const owned = new AsyncDisposableStack();
let bed: OperatorBed;

describe.skipIf(certManager === undefined)(
  'a certificate of a host, with a real cert-manager (needs one in .cache, as CONTRIBUTING.md says)',
  { timeout: TIMEOUT_MS },
  () => {
    beforeAll(async () => {
      if (certManager === undefined) return;
      const issuer = { issuerName: 'authority', issuerKind: 'ClusterIssuer', issuerGroup: 'cert-manager.io' };
      const settings = { ...defaultCertificateSettings, ...issuer, namespace: NAMESPACE, resyncMs: 1_000 };
      const controllers = (context: Parameters<typeof createCertificateController>[0]) => [
        createCertificateController(context, settings),
      ];
      bed = owned.use(await startOperatorBed({ cloud: 'none', controllers }));
      await bed.kubectl('create', 'namespace', NAMESPACE);
      owned.use(await startCertManager(certManager, bed.server.kubeconfig, AbortSignal.timeout(TIMEOUT_MS)));
    }, TIMEOUT_MS);
    afterAll(() => owned.disposeAsync(), TIMEOUT_MS);

    it('is issued in the names and addresses of the host, for both ends of a connection', async () => {
      await makeHost(bed, 'hv1', { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] });

      const { certificate, authority } = await issued('tls-libvirt-hv1', '10.0.0.1');

      expect(certificate.verify(authority.publicKey)).toBe(true);
      expect(certificate.checkIP('10.0.0.1')).toBe('10.0.0.1');
      expect(certificate.keyUsage).toEqual([SERVER_AUTHENTICATION, CLIENT_AUTHENTICATION]);
      expect(certificate.ca).toBe(false);
    });

    it('is issued anew when the host has moved', async () => {
      await makeHost(bed, 'hv1', { addresses: [{ type: 'InternalIP', address: '10.0.0.2' }] });

      const { certificate } = await issued('tls-libvirt-hv1', '10.0.0.2');

      expect(certificate.checkIP('10.0.0.1')).toBeUndefined();
    });
  },
);

interface Issued {
  readonly certificate: X509Certificate;
  readonly authority: X509Certificate;
}

/** What the Secret holds, once its certificate is for that address. */
async function issued(secret: string, address: string): Promise<Issued> {
  const found: { latest?: Issued } = {};
  await expect
    .poll(async () => {
      const text = await bed.kubectl('-n', NAMESPACE, 'get', 'secret', secret, '--ignore-not-found', '-o', 'json');
      if (text === '') return undefined;
      const { data } = readSecret(JSON.parse(text));
      found.latest = { certificate: pem(data['tls.crt']), authority: pem(data['ca.crt']) };
      return found.latest.certificate.checkIP(address);
    }, ISSUED)
    .toBe(address);
  if (found.latest === undefined) throw new Error('nothing was issued');
  return found.latest;
}

function readSecret(value: unknown): { readonly data: Readonly<Record<string, string>> } & Partial<KubernetesObject> {
  return Object(value);
}

function pem(base64 = ''): X509Certificate {
  return new X509Certificate(Buffer.from(base64, 'base64'));
}
