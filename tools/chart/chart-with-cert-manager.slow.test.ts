import { X509Certificate } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findCertManager, findKubernetes, startCertManager, startKubernetes } from '@smalt/bed-kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { kubectl, runHelm } from './fixtures/kubernetes-tools.ts';
import { CHART, findHelm } from './helm.ts';

const TIMEOUT_MS = 300_000;
const NAMESPACE = 'smalt-system';
const SERVICES = [
  { secret: 'smalt-console-tls', name: 'smalt-console.smalt-system.svc' },
  { secret: 'smalt-ha-service-tls', name: 'smalt-ha-service.smalt-system.svc' },
  { secret: 'smalt-virt-api-tls', name: 'virt-api.smalt-system.svc' },
];
const programs = findKubernetes();
const helm = findHelm() ?? '';
const certManager = findCertManager();
const owned = new AsyncDisposableStack();
let kubeconfig: string;

describe.skipIf(programs === undefined || helm === '' || certManager === undefined)(
  'certificates of services by a real cert-manager (needs one in .cache, as CONTRIBUTING.md says)',
  { timeout: TIMEOUT_MS },
  () => {
    beforeAll(async () => {
      if (programs === undefined || certManager === undefined) return;
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      ({ kubeconfig } = owned.use(await startKubernetes(programs, signal, { controllers: true, isDurable: false })));
      const { issuerName } = owned.use(await startCertManager(certManager, kubeconfig, signal));
      const home = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-helm-'))).path;
      const settings = `certificates.source=cert-manager,certificates.issuer.name=${issuerName}`;
      const words = ['install', 'smalt', CHART, '--namespace', NAMESPACE, '--create-namespace', '--set', settings];
      await runHelm({ helm, kubeconfig, home }, words);
    }, TIMEOUT_MS);
    afterAll(() => owned.disposeAsync(), TIMEOUT_MS);

    it.each(SERVICES)('are issued: $secret, with the authority that callers read', async ({ secret, name }) => {
      const ready = ['wait', '--for=condition=Ready', '--timeout=60s', `certificate/${secret}`];
      await kubectl(kubeconfig, ['-n', NAMESPACE, ...ready]);

      const { data } = Object(
        JSON.parse(await kubectl(kubeconfig, ['-n', NAMESPACE, 'get', 'secret', secret, '-o', 'json'])),
      );

      const [certificate, authority] = [pem(data['tls.crt']), pem(data['ca.crt'])];
      expect([certificate.checkHost(name), certificate.verify(authority.publicKey)]).toEqual([name, true]);
      expect(Buffer.from(data['tls.key'], 'base64').toString()).toContain('PRIVATE KEY');
    });
  },
);

function pem(base64: string): X509Certificate {
  return new X509Certificate(Buffer.from(base64, 'base64'));
}
