import { afterAll, beforeAll, expect, it } from 'vitest';

import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
  await bed.output(['create', 'role', 'reader', '--verb=get,list', '--resource=configmaps']);
  await bed.output([
    'create',
    'rolebinding',
    'reader',
    '--role=reader',
    '--user=jane',
    '--serviceaccount=default:robot',
  ]);
  await bed.output(['create', 'serviceaccount', 'robot']);
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it('lets the administrator do everything', async () => {
  expect(await bed.output(['auth', 'can-i', '*', '*', '-A'])).toBe('yes\n');
});

it.each([
  { args: ['get', 'configmaps'], answer: 'yes\n', code: 0 },
  { args: ['create', 'configmaps'], answer: 'no\n', code: 1 },
  { args: ['get', 'configmaps', '-n', 'kube-system'], answer: 'no\n', code: 1 },
])('knows whether jane can $args', async ({ args, answer, code }) => {
  const result = await bed.run(['auth', 'can-i', ...args, '--as=jane']);

  expect(result).toMatchObject({ stdout: answer, code });
});

it('lists what jane can do', async () => {
  expect(await bed.output(['auth', 'can-i', '--list', '--as=jane'])).toMatch(/^configmaps +\[\] +\[\] +\[get list\]$/m);
});

it('refuses jane what she may not do', async () => {
  const result = await bed.run(['create', 'configmap', 'x', '--as=jane']);

  expect(result.stderr).toContain(
    'configmaps is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "default"',
  );
});

it('says who one is', async () => {
  expect(await bed.output(['auth', 'whoami'])).toMatch(/^Username +admin$/m);
});

it('gives a service account a token that it can use', async () => {
  const token = (await bed.output(['create', 'token', 'robot'])).trim();
  const asRobot = [
    '--kubeconfig=/dev/null',
    `--server=${bed.api.server.url}`,
    '--insecure-skip-tls-verify',
    `--token=${token}`,
  ];

  const allowed = await bed.run([...asRobot, 'get', 'configmaps']);
  const refused = await bed.run([...asRobot, 'get', 'secrets']);

  expect(allowed.code).toBe(0);
  expect(refused.stderr).toContain('User "system:serviceaccount:default:robot" cannot list resource "secrets"');
});
