import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe.concurrent('run and expose', () => {
  it('runs a pod and exposes it', async () => {
    expect(await bed.output('run web --image=nginx --port=80 --labels=app=web')).toBe('pod/web created\n');
    expect(await bed.output('expose pod web --name=front')).toBe('service/front exposed\n');

    expect(await field('service front', '{.spec.selector.app} {.spec.ports[0].port}')).toBe('web 80');
    expect(await bed.output('get pod web --no-headers')).toMatch(/^web +0\/1 +Pending +0 +\d+s$/m);
  });

  it('only tries to run a pod when it is told to', async () => {
    expect(await bed.output('run tried --image=nginx --dry-run=server')).toBe('pod/tried created (server dry run)\n');

    expect(await bed.complaint('get pod tried')).toContain('pods "tried" not found');
  });

  it('scales a deployment by itself', async () => {
    await createDeployment('auto');

    // The flag for processors was renamed; without it all versions agree.
    expect(await bed.output('autoscale deployment auto --min=1 --max=3')).toBe(
      'horizontalpodautoscaler.autoscaling/auto autoscaled\n',
    );

    expect(await field('hpa auto', '{.spec.minReplicas} {.spec.maxReplicas}')).toBe('1 3');
  });
});

describe.concurrent('set', () => {
  it.each([
    { name: 'image', args: 'app=x:2', line: 'image updated', path: '.image', value: 'x:2' },
    { name: 'env', args: 'A=B', line: 'env updated', path: '.env', value: '[{"name":"A","value":"B"}]' },
    {
      name: 'resources',
      args: '--limits=cpu=200m,memory=64Mi',
      line: 'resource requirements updated',
      path: '.resources',
      value: '{"limits":{"cpu":"200m","memory":"64Mi"}}',
    },
  ])('sets the $name of a container', async ({ name, args, line, path, value }) => {
    const deployment = `set-${name}`;
    await createDeployment(deployment);

    expect(await bed.output(`set ${name} deployment/${deployment} ${args}`)).toBe(
      `deployment.apps/${deployment} ${line}\n`,
    );

    expect(await field(`deployment ${deployment}`, `{.spec.template.spec.containers[0]${path}}`)).toBe(value);
  });

  it('sets the service account of a deployment, and the subjects of a binding', async () => {
    await createDeployment('set-sa');
    await bed.output('create rolebinding readers --clusterrole=view --user=jane');

    await bed.output('set serviceaccount deployment/set-sa robot');
    await bed.output('set subject rolebinding/readers --user=joe');

    expect(await field('deployment set-sa', '{.spec.template.spec.serviceAccountName}')).toBe('robot');
    expect(await field('rolebinding readers', '{.subjects[*].name}')).toBe('jane joe');
  });

  it('sets the selector of a service', async () => {
    await bed.output('create service clusterip chosen --tcp=80');

    await bed.output('set selector service/chosen tier=gold');

    expect(await field('service chosen', '{.spec.selector}')).toBe('{"tier":"gold"}');
  });
});

describe.concurrent('rollout', () => {
  it('waits until a deployment is rolled out', async () => {
    await createDeployment('rolled');
    const waiting = bed.output('rollout status deployment/rolled --timeout=20s');
    const status = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };

    await setStatus('rolled', status);

    expect(await waiting).toContain('deployment "rolled" successfully rolled out\n');
  });

  it('gives up waiting in the end', async () => {
    await createDeployment('stuck');

    const result = await bed.run('rollout status deployment/stuck --timeout=1s');

    expect(result.code).toBe(1);
    expect(result.stdout).toContain('Waiting for deployment spec update to be observed...');
  });

  it('restarts, pauses and resumes', async () => {
    await createDeployment('turned');

    const lines = [
      await bed.output('rollout restart deployment/turned'),
      await bed.output('rollout pause deployment/turned'),
      await bed.output('rollout resume deployment/turned'),
    ];

    expect(lines).toEqual([
      'deployment.apps/turned restarted\n',
      'deployment.apps/turned paused\n',
      'deployment.apps/turned resumed\n',
    ]);
    const restarted = String.raw`{.spec.template.metadata.annotations.kubectl\.kubernetes\.io/restartedAt}`;
    expect(await field('deployment turned', restarted)).toMatch(/^\d{4}-/);
  });

  it('shows the revisions and goes back to one', async () => {
    await createDeployment('old', { 'deployment.kubernetes.io/revision': '2' });
    const uid = await field('deployment old', '{.metadata.uid}');
    await bed.output('create -f -', { input: list([revision(uid, 1, 'x:0'), revision(uid, 2, 'x:1')]) });

    const history = await bed.output('rollout history deployment/old');
    const undone = await bed.output('rollout undo deployment/old --to-revision=1');

    expect(history).toMatch(/^REVISION +CHANGE-CAUSE\n1 +<none>\n2 +<none>$/m);
    expect(undone).toBe('deployment.apps/old rolled back\n');
    expect(await field('deployment old', '{.spec.template.spec.containers[0].image}')).toBe('x:0');
  });
});

async function createDeployment(name: string, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  const spec = { selector: { matchLabels: { app: name } }, template: template(name, 'x:1') };
  const input = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, annotations }, spec };
  await bed.output('create -f -', { input });
}

function template(app: string, image: string): JsonObject {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: 'app', image }] } };
}

function revision(uid: string, number: number, image: string): JsonObject {
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'old', uid, controller: true };
  const metadata = {
    name: `old-${number}`,
    labels: { app: 'old' },
    annotations: { 'deployment.kubernetes.io/revision': String(number) },
    ownerReferences: [owner],
  };
  const spec = { selector: { matchLabels: { app: 'old' } }, template: template('old', image) };
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec };
}

function list(items: readonly JsonObject[]): JsonObject {
  return { apiVersion: 'v1', kind: 'List', items };
}

async function setStatus(name: string, status: JsonObject): Promise<void> {
  const path = `/apis/apps/v1/namespaces/default/deployments/${name}/status`;
  const headers = { 'content-type': 'application/merge-patch+json' };
  await bed.api.call('PATCH', path, { headers, body: { status } });
}

function field(object: string, path: string): Promise<string> {
  return bed.output(['get', ...object.split(' '), '-o', `jsonpath=${path}`]);
}
