import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeAuthority, makeCertificate, runProgram } from '@smalt/libvirt-daemon';

import { ask } from './ask.ts';
import { freePorts } from './free-ports.ts';
import type { KubernetesPrograms } from './kubernetes-programs.ts';
import { ServerProcess } from './server-process.ts';

const OPENSSL = { name: 'openssl', debianPackage: 'openssl' } as const;
const START_TIMEOUT_MS = 120_000;

/** A running API server of the bed and how to reach it. */
export interface RunningApiServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly authority: Buffer;
  /** The processes that make it up, for accounting. */
  readonly processes: readonly ServerProcess[];
  /** From the start of the first process to the first answer of /readyz with 200. */
  readonly startMs: number;
}

/** Starts a real etcd and kube-apiserver on loopback, with an administrator's token. */
export async function startKubernetes(programs: KubernetesPrograms, signal: AbortSignal): Promise<RunningApiServer> {
  await using owner = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'smalt-kubernetes-'));
  owner.defer(() => rm(directory, { recursive: true, force: true }));
  const keys = await makeKeys(directory);
  const token = randomBytes(16).toString('hex');
  await writeFile(keys.tokens, `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const [port = 0, clientPort = 0, peerPort = 0] = await freePorts(3);
  const url = `https://127.0.0.1:${port}`;
  const authority = await readFile(keys.authority);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);

  const startedAt = performance.now();
  const etcd = owner.use(
    ServerProcess.start('etcd', etcdCommand(programs, directory, clientPort, peerPort), join(directory, 'etcd.log')),
  );
  await etcd.whenReady(() => isOk(`http://127.0.0.1:${clientPort}/health`), deadline);
  const command = apiserverCommand(programs, keys, port, clientPort);
  const apiserver = owner.use(ServerProcess.start('kube-apiserver', command, join(directory, 'kube-apiserver.log')));
  await apiserver.whenReady(() => isOk(`${url}/readyz`, { token, authority }), deadline);
  const startMs = performance.now() - startedAt;

  const kept = owner.move();
  return {
    url,
    token,
    authority,
    processes: [apiserver, etcd],
    startMs,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function isOk(url: string, access?: { token: string; authority: Buffer }): Promise<boolean> {
  try {
    return (await ask(url, access)).status === 200;
  } catch {
    return false;
  }
}

interface Keys {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
  readonly tokens: string;
  readonly accountKey: string;
}

async function makeKeys(directory: string): Promise<Keys> {
  const keys = join(directory, 'keys');
  await mkdir(keys, { mode: 0o700 });
  await makeAuthority(keys, 'kubernetes');
  await makeCertificate(keys, keys, { kind: 'server', names: ['DNS:localhost', 'IP:127.0.0.1'] });
  const accountKey = join(keys, 'account.key');
  await runProgram(OPENSSL, ['genrsa', '-out', accountKey, '2048']);
  return {
    authority: join(keys, 'cacert.pem'),
    certificate: join(keys, 'servercert.pem'),
    key: join(keys, 'serverkey.pem'),
    tokens: join(keys, 'tokens.csv'),
    accountKey,
  };
}

function etcdCommand(programs: KubernetesPrograms, directory: string, clientPort: number, peerPort: number): string[] {
  const client = `http://127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  return [
    programs.etcd,
    '--name=bed',
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=bed=${peer}`,
  ];
}

function apiserverCommand(programs: KubernetesPrograms, keys: Keys, port: number, etcdPort: number): string[] {
  return [
    programs.apiserver,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--authorization-mode=RBAC',
    `--token-auth-file=${keys.tokens}`,
    `--client-ca-file=${keys.authority}`,
    `--tls-cert-file=${keys.certificate}`,
    `--tls-private-key-file=${keys.key}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${keys.accountKey}`,
    `--service-account-signing-key-file=${keys.accountKey}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--endpoint-reconciler-type=none',
    // Nobody makes service accounts here, and the plugin would refuse every pod.
    '--disable-admission-plugins=ServiceAccount',
  ];
}
