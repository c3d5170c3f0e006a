import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { machine } from '../fixtures/machine-definition.ts';
import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe.concurrent('create', () => {
  it.each([
    { args: ['namespace', 'made'], line: 'namespace/made created' },
    { args: ['configmap', 'made', '--from-literal=a=b'], line: 'configmap/made created' },
    { args: ['secret', 'generic', 'made', '--from-literal=a=b'], line: 'secret/made created' },
    { args: ['serviceaccount', 'made'], line: 'serviceaccount/made created' },
    { args: ['role', 'made', '--verb=get', '--resource=pods'], line: 'role.rbac.authorization.k8s.io/made created' },
    {
      args: ['rolebinding', 'made', '--role=made', '--user=jane'],
      line: 'rolebinding.rbac.authorization.k8s.io/made created',
    },
    {
      args: ['clusterrole', 'made', '--verb=get', '--resource=pods'],
      line: 'clusterrole.rbac.authorization.k8s.io/made created',
    },
    { args: ['deployment', 'made', '--image=nginx'], line: 'deployment.apps/made created' },
    { args: ['job', 'made', '--image=busybox'], line: 'job.batch/made created' },
    { args: ['service', 'clusterip', 'made', '--tcp=80:80'], line: 'service/made created' },
    { args: ['priorityclass', 'made', '--value=7'], line: 'priorityclass.scheduling.k8s.io/made created' },
    { args: ['quota', 'made', '--hard=pods=3'], line: 'resourcequota/made created' },
    {
      args: ['clusterrolebinding', 'made', '--clusterrole=made', '--group=all'],
      line: 'clusterrolebinding.rbac.authorization.k8s.io/made created',
    },
    {
      args: ['secret', 'docker-registry', 'pull', '--docker-username=a', '--docker-password=b'],
      line: 'secret/pull created',
    },
    { args: ['ingress', 'made', '--rule=example.com/=web:80'], line: 'ingress.networking.k8s.io/made created' },
    { args: ['service', 'nodeport', 'node', '--tcp=80:80'], line: 'service/node created' },
    { args: ['service', 'loadbalancer', 'load', '--tcp=80:80'], line: 'service/load created' },
    { args: ['service', 'externalname', 'far', '--external-name=example.com'], line: 'service/far created' },
  ])('$args.0 $args.1', async ({ args, line }) => {
    expect(await bed.output(['create', ...args])).toBe(`${line}\n`);
  });

  it.for([
    { args: ['cronjob', 'made', '--image=busybox', '--schedule=* * * * *'], line: 'cronjob.batch/made created' },
    {
      args: ['poddisruptionbudget', 'made', '--selector=a=b', '--min-available=1'],
      line: 'poddisruptionbudget.policy/made created',
    },
  ])('$args.0 $args.1', async ({ args, line }, { skip }) => {
    skip(bed.clientMinor < 21, 'this kubectl asks for a beta version, which is no longer there');

    expect(await bed.output(['create', ...args])).toBe(`${line}\n`);
  });

  it('makes a job of a cron job', async ({ skip }) => {
    skip(bed.clientMinor < 21, 'this kubectl knows no stable version of cron jobs');
    await bed.output(['create', 'cronjob', 'often', '--image=busybox', '--schedule=* * * * *']);

    expect(await bed.output('create job once --from=cronjob/often')).toBe('job.batch/once created\n');
  });

  it('refuses an object that is there already', async () => {
    await bed.output(['create', 'configmap', 'twice']);

    const result = await bed.run(['create', 'configmap', 'twice']);

    expect(result.stderr).toContain('configmaps "twice" already exists');
  });

  it('refuses fields that the schema does not know', async () => {
    const input = { ...machine('odd'), spec: { cpus: 1, wings: 2 } };

    const result = await bed.run(['create', '-f', '-'], { input });

    // Older ones check that themselves, by the schema that they get from the server.
    const complaint =
      bed.clientMinor < 25 ? 'unknown field "wings"' : 'strict decoding error: unknown field "spec.wings"';
    expect(result.stderr).toContain(complaint);
  });

  it('refuses values that the schema does not allow', async () => {
    const result = await bed.run(['create', '-f', '-'], { input: machine('huge', 1000) });

    expect(result.stderr).toContain(
      'spec.cpus: Invalid value: 1000: spec.cpus in body should be less than or equal to 512',
    );
  });

  it('only tries when it is told to', async () => {
    const created = await bed.output(['create', 'configmap', 'tried', '--dry-run=server']);
    const result = await bed.run(['get', 'configmap', 'tried']);

    expect(created).toBe('configmap/tried created (server dry run)\n');
    expect(result.stderr).toContain('configmaps "tried" not found');
  });
});

describe.concurrent('apply', () => {
  it('creates, leaves alone and changes a custom object', async () => {
    // Without lists, for kubectl takes a list with a default in it for changed.

    expect([await applyMachine(1), await applyMachine(1), await applyMachine(2)]).toEqual([
      'machine.bench.example.dev/applied created\n',
      'machine.bench.example.dev/applied unchanged\n',
      'machine.bench.example.dev/applied configured\n',
    ]);
  });

  it('merges the lists of a built-in object', async () => {
    await bed.output(['apply', '-f', '-'], { input: deployment('x:1') });

    await bed.output(['apply', '-f', '-'], { input: deployment('x:2') });

    const image = '{.spec.template.spec.containers[*].image}';
    expect(await bed.output(['get', 'deployment', 'merged', '-o', `jsonpath=${image}`])).toBe('x:2');
  });

  it('keeps track of who owns what on the side of the server', async () => {
    await bed.output(['apply', '--server-side', '-f', '-'], { input: machine('shared', 1) });
    await bed.output(['patch', 'machine', 'shared', '--type=merge', '-p', '{"spec":{"cpus":3}}']);

    const conflict = await bed.run(['apply', '--server-side', '-f', '-'], { input: machine('shared', 2) });
    const forced = await bed.run(['apply', '--server-side', '--force-conflicts', '-f', '-'], {
      input: machine('shared', 2),
    });

    expect(conflict.stderr).toContain('conflict with "kubectl-patch" using bench.example.dev/v1: .spec.cpus');
    expect(forced.stdout).toBe('machine.bench.example.dev/shared serverside-applied\n');
  });

  it('shows what an apply would change', async () => {
    await bed.output(['apply', '-f', '-'], { input: machine('diffed', 1) });

    const result = await bed.run(['diff', '-f', '-'], { input: machine('diffed', 5) });

    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/^- {2}cpus: 1$/m);
    expect(result.stdout).toMatch(/^\+ {2}cpus: 5$/m);
  });

  it('replaces an object', async () => {
    await bed.output(['create', '-f', '-'], { input: machine('replaced', 1) });

    expect(await bed.output(['replace', '-f', '-'], { input: machine('replaced', 2) })).toBe(
      'machine.bench.example.dev/replaced replaced\n',
    );
  });
});

function applyMachine(cpus: number): Promise<string> {
  return bed.output(['apply', '-f', '-'], { input: { ...machine('applied'), spec: { cpus } } });
}

function deployment(image: string): string {
  return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"merged"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"one","image":"${image}"}]}}}}`;
}
