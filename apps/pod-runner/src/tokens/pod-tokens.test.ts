import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock, type Clock } from '@smalt/controller-runtime';
import { isJsonObject } from '@smalt/json';
import type { KindReference } from '@smalt/kubernetes';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { runnerAccount } from '../fixtures/runner-account.ts';
import { launcherPod, startRunnerBed, type RunnerBed } from '../fixtures/runner-bed.ts';
import type { PodRunner } from '../pod-runner.ts';
import type { RunnerPod } from '../pods/pod.ts';
import { requestToken } from './request-token.ts';

const HOUR_MS = 3_600_000;
const serviceAccountKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  isNamespaced: true,
};

let bed: RunnerBed;
let runner: PodRunner;
let passedMs = 0;
const clock: Clock = { ...systemClock, monotonic: () => performance.now() + passedMs };
let account: Awaited<ReturnType<typeof runnerAccount>>;

beforeAll(async () => {
  bed = await startRunnerBed();
  await bed.client.resource(serviceAccountKind).create({ metadata: { name: 'guest', namespace: 'default' } });
  account = await runnerAccount(bed.client);
  runner = await startRunner();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it('gives a pod a token of its account that the API server takes, beside its CA and its namespace, for root alone', async () => {
  const directory = await runPod('with-account');

  const files = await readdir(directory);
  const token = await readFile(join(directory, 'token'), 'utf8');

  expect(files.toSorted()).toEqual(['ca.crt', 'namespace', 'token']);
  expect(await readFile(join(directory, 'ca.crt'), 'utf8')).toContain('BEGIN CERTIFICATE');
  expect(await readFile(join(directory, 'namespace'), 'utf8')).toBe('default');
  expect(await ownerOf(token)).toBe('system:serviceaccount:default:guest');
  expect((await stat(join(directory, 'token'))).mode & 0o777).toBe(0o600);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

it('renews a token when most of its time is over, and not before', async () => {
  const directory = await runPod('long-lived');
  const read = async (): Promise<string> => await readFile(join(directory, 'token'), 'utf8');
  const first = await read();

  passedMs += 0.7 * HOUR_MS;
  await look('long-lived', 'early');
  const early = await read();
  passedMs += 0.2 * HOUR_MS;
  await look('long-lived', 'late');
  const late = await read();

  expect(early).toBe(first);
  expect(late).not.toBe(first);
  expect(await ownerOf(late)).toBe('system:serviceaccount:default:guest');
  expect(await readdir(directory)).toHaveLength(3);
  expect((await stat(join(directory, 'token'))).mode & 0o777).toBe(0o600);
});

it('renews what another runner has got, whose age it does not know', async () => {
  const directory = await runPod('inherited');
  const read = async (): Promise<string> => await readFile(join(directory, 'token'), 'utf8');
  const first = await read();

  await runner[Symbol.asyncDispose]();
  runner = await startRunner();

  await expect.poll(read, { timeout: 10_000 }).not.toBe(first);
});

it('waits for an account that is missing, and says so', async () => {
  const accounts = bed.client.resource(serviceAccountKind);
  const late = { metadata: { name: 'late', namespace: 'default' } };
  await runner[Symbol.asyncDispose]();
  await accounts.create(late);
  await bed.create(launcherPod('early', { serviceAccountName: 'late', volumes: [accountVolume()] }));
  await accounts.delete('late', { namespace: 'default' });

  runner = await startRunner();
  const waiting = await bed.until('early', (pod) => waitingMessage(pod) !== undefined);
  await accounts.create(late);
  await bed.until('early', isRunning);

  expect(waitingMessage(waiting)).toMatch(
    /^there is no token of the ServiceAccount default\/late: .*not found.*; create it$/,
  );
});

it('refuses a token for a pod that runs as no account, as an earlier API server let it', async () => {
  const pod = launcherPod('nobody', {});
  const source = { kind: 'token', path: 'token', audience: undefined, expirationSeconds: 600 } as const;

  const refusal = requestToken(bed.client, Object(pod), source, AbortSignal.timeout(5_000));

  const message = 'spec.serviceAccountName: name the account that the token is of';
  await expect(refusal).rejects.toMatchObject({ code: 'invalid-pod', message });
});

async function startRunner(): Promise<PodRunner> {
  return await bed.startRunner({ runsProcesses: false, kubeConfig: account, clock });
}

/** What virt-controller gives the pod of an instance with a volume for a service account. */
function accountVolume() {
  const sources = [
    { serviceAccountToken: { path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
  ];
  return { name: 'account', projected: { sources } };
}

async function runPod(name: string): Promise<string> {
  await bed.create(launcherPod(name, { serviceAccountName: 'guest', volumes: [accountVolume()] }));
  const { volumes } = await bed.sandboxOf(await bed.until(name, isRunning));
  return volumes['account']?.path ?? '';
}

/** Has the runner look at the tokens of a pod, and waits until it has. */
async function look(name: string, mark: string): Promise<void> {
  const before = await lookCount();
  await bed.pods.patch(name, 'merge', { metadata: { labels: { mark } } }, { namespace: 'default' });
  await expect.poll(lookCount).toBeGreaterThan(before);
}

async function lookCount(): Promise<number> {
  const text = await runner.metrics.scrapeText(AbortSignal.timeout(5_000));
  const counts = text.matchAll(/^controller_runtime_reconcile_total\{controller="tokens",[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

function isRunning({ status }: RunnerPod): boolean {
  return status?.phase === 'Running';
}

function waitingMessage({ status }: RunnerPod): string | undefined {
  return status?.containerStatuses?.[0]?.state?.waiting?.message;
}

async function ownerOf(token: string): Promise<unknown> {
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } });
  const path = '/apis/authentication.k8s.io/v1/tokenreviews';
  const answer = await bed.client.request({ method: 'POST', path, body });
  const status = isJsonObject(answer) ? answer['status'] : undefined;
  const user = isJsonObject(status) ? status['user'] : undefined;
  return isJsonObject(user) ? user['username'] : answer;
}
