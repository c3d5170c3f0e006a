import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { ask } from './ask.ts';
import { findKubernetes } from './kubernetes-programs.ts';
import { startKubernetes, type Kubernetes } from './start-kubernetes.ts';

const programs = findKubernetes();
const TIMEOUT_MS = 300_000;
const WAIT = { timeout: 120_000 };

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.skipIf(programs === undefined)('a control plane (npm run bed:kubernetes -- --build)', () => {
  it(
    'gives pods their account and their node, and collects what an owner leaves',
    { timeout: TIMEOUT_MS },
    async () => {
      await using server = await start({ controllers: true, scheduler: true, isDurable: false });
      await post(server, '/api/v1/nodes', { metadata: { name: 'a' } });
      await patchReady(server, 'a');
      const owner = await post(server, '/api/v1/namespaces/default/configmaps', { metadata: { name: 'owner' } });
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }];
      await post(server, '/api/v1/namespaces/default/configmaps', { metadata: { name: 'owned', ownerReferences } });
      const spec = { containers: [{ name: 'c', image: 'none' }] };

      const pod = await post(server, '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec });
      await ask(`${server.url}/api/v1/namespaces/default/configmaps/owner`, server, undefined, 'DELETE');

      expect(pod.spec).toMatchObject({ serviceAccountName: 'default', volumes: [{ projected: {} }] });
      await expect
        .poll(async () => (await get(server, '/api/v1/namespaces/default/pods/p')).spec.nodeName, WAIT)
        .toBe('a');
      const owned = `${server.url}/api/v1/namespaces/default/configmaps/owned`;
      await expect.poll(async () => (await ask(owned, server)).status, WAIT).toBe(404);
    },
  );

  it(
    'starts the API server again on the same data, which has forgotten what was compacted',
    { timeout: TIMEOUT_MS },
    async () => {
      await using server = await start({ audit: true });
      for (const name of ['a', 'b', 'c'])
        await post(server, '/api/v1/namespaces/default/configmaps', { metadata: { name } });
      const list = '/api/v1/namespaces/default/configmaps?limit=1';
      const first = await get(server, list);
      const { uid } = (await get(server, '/api/v1/namespaces/default')).metadata;
      await post(server, '/api/v1/namespaces/default/configmaps', { metadata: { name: 'd' } });

      await server.compact(AbortSignal.timeout(TIMEOUT_MS));
      await server.kill();
      const isGone = await ask(`${server.url}/readyz`, server).then(
        () => false,
        () => true,
      );
      const restartMs = await server.restart(AbortSignal.timeout(TIMEOUT_MS));
      const rest = await ask(`${server.url}${list}&continue=${first.metadata.continue}`, server);

      expect(isGone).toBe(true);
      expect(restartMs).toBeGreaterThan(0);
      expect(rest).toMatchObject({ status: 410, body: expect.stringContaining('Expired') });
      expect((await get(server, '/api/v1/namespaces/default')).metadata.uid).toBe(uid);
      const version = first.metadata.resourceVersion;
      const watch = `/api/v1/namespaces/default/configmaps?watch=true&timeoutSeconds=1&resourceVersion=${version}`;
      expect((await ask(`${server.url}${watch}`, server)).body).toContain('too old resource version');
      const audited = await readFile(join(server.directory, 'audit.log'), 'utf8');
      expect(audited).toContain('"stage":"ResponseComplete"');
      expect(audited).not.toContain('RequestReceived');
    },
  );

  it('keeps what accounts were refused, where the run wants to know, whoever starts it', WAIT, async () => {
    await using kept = await mkdtempDisposable(join(tmpdir(), 'smalt-refusals-'));
    vi.stubEnv('SMALT_REFUSAL_DIRECTORY', kept.path);
    {
      await using server = await start({ isDurable: false });
      const accounts = '/api/v1/namespaces/default/serviceaccounts';
      await post(server, accounts, { metadata: { name: 'stranger' } });
      const { token } = (await post(server, `${accounts}/stranger/token`, { spec: {} })).status;

      expect((await ask(`${server.url}/api/v1/secrets`, { ...server, token })).status).toBe(403);
    }

    const directory = join(kept.path, 'beds/kubernetes/src/start-kubernetes.slow.test.ts');
    const [log = ''] = await readdir(directory);
    expect(await readFile(join(directory, log), 'utf8')).toContain('"system:serviceaccount:default:stranger"');
  });
});

async function start(options: Parameters<typeof startKubernetes>[2]): Promise<Kubernetes> {
  if (programs === undefined) throw new Error('there is no Kubernetes');
  return await startKubernetes(programs, AbortSignal.timeout(TIMEOUT_MS), options);
}

async function get(server: Kubernetes, path: string) {
  return Object(JSON.parse((await ask(`${server.url}${path}`, server)).body));
}

async function post(server: Kubernetes, path: string, object: object) {
  const { status, body } = await ask(`${server.url}${path}`, server, JSON.stringify(object));
  expect({ path, status, body }).toMatchObject({ status: 201 });
  return Object(JSON.parse(body));
}

/** What a kubelet says of its node, and what the scheduler wants to hear. */
async function patchReady(server: Kubernetes, name: string): Promise<void> {
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }];
  const size = { cpu: '1', memory: '1Gi', pods: '10' };
  // Without a version: others write to it at the same time, and it is not theirs to say.
  const node = { metadata: { name }, status: { conditions, capacity: size, allocatable: size } };
  const { status, body } = await ask(`${server.url}/api/v1/nodes/${name}/status`, server, JSON.stringify(node), 'PUT');
  expect({ status, body }).toMatchObject({ status: 200 });
}
