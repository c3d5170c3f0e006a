import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
  await bed.output('create role reader --verb=get,list --resource=configmaps');
  await bed.output('create rolebinding reader --role=reader --user=jane --serviceaccount=default:robot');
  await bed.output('create serviceaccount robot');
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it.concurrent('lets the administrator do everything', async () => {
  expect(await bed.output(['auth', 'can-i', '*', '*', '-A'])).toBe('yes\n');
});

it.concurrent.each([
  { args: ['get', 'configmaps'], answer: 'yes\n', code: 0 },
  { args: ['create', 'configmaps'], answer: 'no\n', code: 1 },
  { args: ['get', 'configmaps', '-n', 'kube-system'], answer: 'no\n', code: 1 },
  { args: ['get', 'configmaps/x'], answer: 'yes\n', code: 0 },
  { args: ['get', 'pods', '--subresource=log'], answer: 'no\n', code: 1 },
  { args: ['get', '/version'], answer: 'yes\n', code: 0 },
  { args: ['get', '/metrics'], answer: 'no\n', code: 1 },
])('knows whether jane can $args', async ({ args, answer, code }) => {
  const result = await bed.run(['auth', 'can-i', ...args, '--as=jane']);

  expect(result).toMatchObject({ stdout: answer, code });
});

it.concurrent('lists what jane can do', async () => {
  expect(await bed.output(['auth', 'can-i', '--list', '--as=jane'])).toMatch(/^configmaps +\[\] +\[\] +\[get list\]$/m);
});

it.concurrent('refuses jane what she may not do', async () => {
  const result = await bed.run(['create', 'configmap', 'x', '--as=jane']);

  expect(result.stderr).toContain(
    'configmaps is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "default"',
  );
});

it.concurrent('says who one is', async ({ skip }) => {
  skip(bed.clientMinor < 28, 'this kubectl knows no stable version of the command auth whoami');

  expect(await bed.output(['auth', 'whoami'])).toMatch(/^Username +admin$/m);
});

it.concurrent('gives a service account a token that it can use', async ({ skip }) => {
  skip(bed.clientMinor < 24, 'this kubectl has no command create token');

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

it.concurrent('brings roles and bindings to what a file says', async () => {
  const input = [role('made', ['get', 'watch']), role('grown', ['list'])]
    .map((made) => JSON.stringify(made))
    .join('\n');
  await bed.output('create role grown --verb=get --resource=pods');

  const text = await bed.output('auth reconcile -f -', { input });

  expect(text).toContain('role.rbac.authorization.k8s.io/made reconciled');
  expect(await bed.output('get role grown -o jsonpath={.rules[*].verbs}')).toBe('["get"] ["list"]');
});

it.concurrent('refuses to give away more than one has', async () => {
  await bed.output('create role maker --verb=create,get --resource=roles.rbac.authorization.k8s.io');
  await bed.output('create rolebinding maker --role=maker --user=joe');

  const complaint = await bed.complaint('create role more --verb=get --resource=secrets --as=joe');

  expect(complaint).toContain('user "joe" (groups=["system:authenticated"]) is attempting to grant RBAC permissions');
});

function role(name: string, verbs: readonly string[]): JsonObject {
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs }];
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name, namespace: 'default' }, rules };
}
