import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { freePorts } from './free-ports.ts';
import { ServerProcess } from './server-process.ts';

const CHECKOUT = resolve(import.meta.dirname, '../../../.cache/cert-manager');
const NAMESPACE = 'cert-manager';
const READY = 'jsonpath={.status.conditions[?(@.type=="Ready")].status}';
const run = promisify(execFile);

/** A cert-manager that somebody has checked out and built: CONTRIBUTING.md says how. */
export interface CertManagerPrograms {
  readonly controller: string;
  /** The folder of its definitions. */
  readonly definitions: string;
}

/** cert-manager, if it is at hand; nothing is built or fetched. */
export function findCertManager(): CertManagerPrograms | undefined {
  const found = { controller: join(CHECKOUT, 'controller'), definitions: join(CHECKOUT, 'deploy/crds') };
  return existsSync(found.controller) && existsSync(found.definitions) ? found : undefined;
}

export interface CertManager extends AsyncDisposable {
  /** The ClusterIssuer that signs by an authority of its own. */
  readonly issuerName: string;
}

/** Starts cert-manager's controller on an API server, without its webhook, and has it make an authority. */
export async function startCertManager(
  { controller, definitions }: CertManagerPrograms,
  kubeconfig: string,
  signal: AbortSignal,
): Promise<CertManager> {
  await using stack = new AsyncDisposableStack();
  const kubectl = async (words: readonly string[], input = ''): Promise<string> => {
    const running = run('kubectl', ['--kubeconfig', kubeconfig, ...words], { signal });
    running.child.stdin?.end(input);
    return (await running).stdout;
  };
  await kubectl(['apply', '--server-side', '-f', definitions]);
  await kubectl(['wait', '--for=condition=Established', '--timeout=60s', 'crd/certificates.cert-manager.io']);
  await kubectl(['create', 'namespace', NAMESPACE]);
  const { path } = stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-cert-manager-')));
  const [metrics] = await freePorts(1);
  const words = [
    `--kubeconfig=${kubeconfig}`,
    `--cluster-resource-namespace=${NAMESPACE}`,
    '--leader-elect=false',
    `--metrics-listen-address=127.0.0.1:${metrics}`,
  ];
  const server = stack.use(ServerProcess.start('cert-manager', [controller, ...words], join(path, 'cert-manager.log')));
  await kubectl(['apply', '-f', '-'], AUTHORITY);
  await server.whenReady(
    async () => (await kubectl(['get', 'clusterissuer', 'authority', '-o', READY])) === 'True',
    signal,
  );
  const owned = stack.move();
  return { issuerName: 'authority', [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const AUTHORITY = `
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: { name: itself }
spec: { selfSigned: {} }
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: { name: authority, namespace: ${NAMESPACE} }
spec:
  isCA: true
  commonName: authority
  secretName: authority
  privateKey: { algorithm: ECDSA, rotationPolicy: Always }
  issuerRef: { kind: ClusterIssuer, name: itself }
---
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: { name: authority }
spec: { ca: { secretName: authority } }
`;
