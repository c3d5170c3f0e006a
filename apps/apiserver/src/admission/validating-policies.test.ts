import type { JsonObject } from '@smalt/json';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';
import { textAt } from '../identity/object-fields.ts';

const GROUP_NAME = 'admissionregistration.k8s.io';
const GROUP = `/apis/${GROUP_NAME}/v1`;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
let api: TestServer;
const made: string[] = [];

beforeAll(async () => {
  api = await startTestServer();
});

afterEach(async () => {
  for (const path of made.splice(0)) await api.call('DELETE', path);
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

it('refuses what a rule does not allow, with the message that the rule makes', async () => {
  await policy({
    variables: [{ name: 'length', expression: 'size(object.metadata.name)' }],
    validations: [{ expression: 'variables.length < 4', messageExpression: '"has " + string(variables.length)' }],
  });
  await bind({});

  const refused = await write('long-name');
  const accepted = await write('ok');

  const message = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: has 9";
  expect(refused).toMatchObject({
    code: 422,
    object: {
      reason: 'Invalid',
      message: `configmaps "long-name" is forbidden: ${message}`,
      details: { name: 'long-name', kind: 'configmaps', causes: [{ message }] },
    },
  });
  expect(accepted.code).toBe(201);
});

it.each([
  ['its message', { message: ' told you ' }, 'told you'],
  ['its expression when it has no message', {}, 'failed expression: false'],
])('says of a rule %s', async (_what, extra, expected) => {
  await policy({ validations: [{ expression: 'false', reason: 'Forbidden', ...extra }] });
  await bind({});

  const { code, object } = await write('a');

  expect(code).toBe(403);
  expect(object['message']).toContain(`denied request: ${expected}`);
});

it('only warns when the binding says so', async () => {
  await policy({ validations: [{ expression: 'false', message: 'hm' }] });
  await bind({ validationActions: ['Warn'] });

  const { code, headers } = await write('a');

  expect({ code, warning: headers['warning'] }).toEqual({
    code: 201,
    warning: `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': hm"`,
  });
});

it('counts only where it is bound', async () => {
  await policy({ validations: [{ expression: 'false' }] });

  expect((await write('a')).code).toBe(201);
});

it('takes parameters from an object that the binding names', async () => {
  await api.call('POST', CONFIG_MAPS, { body: configMap('limits', { most: '3' }) });
  await policy({
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    validations: [{ expression: 'size(object.metadata.name) <= int(params.data.most)' }],
  });
  await bind({ paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } });

  const codes = [(await write('abc')).code, (await write('abcd')).code];

  expect(codes).toEqual([201, 422]);
});

it('takes parameters in the version that the policy names, whichever they are stored in', async () => {
  await api.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: limitDefinition() });
  const body = { apiVersion: 'limits.example.dev/v1', kind: 'Limit', metadata: { name: 'a' }, most: 3 };
  await api.call('POST', '/apis/limits.example.dev/v1/namespaces/default/limits', { body });
  await policy({
    paramKind: { apiVersion: 'limits.example.dev/v2', kind: 'Limit' },
    validations: [
      { expression: 'params.apiVersion == "limits.example.dev/v2" && size(object.metadata.name) <= params.most' },
    ],
  });
  await bind({ paramRef: { name: 'a', namespace: 'default', parameterNotFoundAction: 'Deny' } });

  const codes = [(await write('abc')).code, (await write('abcd')).code];

  expect(codes).toEqual([201, 422]);
});

it('refuses when its parameters are not there and the binding wants that', async () => {
  await policy({
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    validations: [{ expression: 'true' }],
  });
  await bind({ paramRef: { name: 'nowhere', namespace: 'default', parameterNotFoundAction: 'Deny' } });

  const { object } = await write('a');

  expect(object['message']).toContain(
    'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
  );
});

it('knows who writes and what they may do', async () => {
  await policy({
    matchConditions: [{ name: 'not-admin', expression: 'request.userInfo.username != "admin"' }],
    validations: [{ expression: 'authorizer.requestResource.check("delete").allowed()', message: 'may not delete' }],
  });
  await bind({});
  await letWrite('node-1');

  const byNode = await write('a', 'node-1');
  const byAdmin = await write('a');

  expect([byNode.code, byAdmin.code]).toEqual([422, 201]);
  expect(byNode.object['message']).toContain('may not delete');
});

it('refuses when a rule cannot be evaluated, unless the policy ignores that', async () => {
  await policy({ validations: [{ expression: 'object.data.missing == "x"' }] });
  await bind({});
  const strict = await write('a');
  await api.call('DELETE', `${GROUP}/validatingadmissionpolicies/p`);
  await policy({ failurePolicy: 'Ignore', validations: [{ expression: 'object.data.missing == "x"' }] });

  const lenient = await write('a');

  expect(strict.object['message']).toContain(`expression 'object.data.missing == "x"' resulted in error: no such key`);
  expect(lenient.code).toBe(201);
});

it('asks about a token before it is given out', async () => {
  const resources = ['serviceaccounts/token'];
  const resourceRules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['*'], resources }];
  const expression = 'request.kind.kind == "TokenRequest" && object.spec.expirationSeconds <= 600';
  await policy({ matchConstraints: { resourceRules }, validations: [{ expression, message: 'too long' }] });
  await bind({});
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await make(accounts, 'teller', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'teller' } });
  const ask = (expirationSeconds: number) =>
    api.call('POST', `${accounts}/teller/token`, { body: { spec: { expirationSeconds } } });

  const [short, long] = [await ask(600), await ask(601)];

  expect([short.code, long.code]).toEqual([201, 422]);
  expect(long.object['message']).toContain('denied request: too long');
});

it('is asked about webhook configurations, as in Kubernetes, and not about policies', async () => {
  const resources = ['validatingwebhookconfigurations', 'validatingadmissionpolicybindings'];
  const resourceRules = [{ operations: ['*'], apiGroups: [GROUP_NAME], apiVersions: ['*'], resources }];
  await policy({ matchConstraints: { resourceRules }, validations: [{ expression: 'false', message: 'no' }] });
  await bind({});
  const body = { apiVersion: `${GROUP_NAME}/v1`, kind: 'ValidatingWebhookConfiguration', metadata: { name: 'w' } };

  const webhooks = await api.call('POST', `${GROUP}/validatingwebhookconfigurations`, { body });
  const unbound = await api.call('DELETE', `${GROUP}/validatingadmissionpolicybindings/b`);

  expect([webhooks.code, unbound.code]).toEqual([422, 200]);
  expect(webhooks.object['message']).toContain('denied request: no');
});

async function policy(spec: JsonObject): Promise<void> {
  const resourceRules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }];
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules }, ...spec },
  };
  await make(`${GROUP}/validatingadmissionpolicies`, 'p', body);
}

async function bind(spec: JsonObject): Promise<void> {
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'], ...spec },
  };
  await make(`${GROUP}/validatingadmissionpolicybindings`, 'b', body);
}

async function letWrite(user: string): Promise<void> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }];
  await make(`${rbac}/clusterroles`, 'w', { apiVersion, kind: 'ClusterRole', metadata: { name: 'w' }, rules });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'w' };
  const subjects = [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }];
  const binding = { apiVersion, kind: 'ClusterRoleBinding', metadata: { name: 'w' }, roleRef, subjects };
  await make(`${rbac}/clusterrolebindings`, 'w', binding);
}

async function make(path: string, name: string, body: JsonObject): Promise<void> {
  const { code, object } = await api.call('POST', path, { body });
  if (code !== 201) throw new Error(textAt(object, 'message'));
  made.push(`${path}/${name}`);
}

function write(name: string, as?: string): ReturnType<TestServer['call']> {
  const headers = as === undefined ? {} : { 'impersonate-user': as };
  return api.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap(name), headers });
}

function limitDefinition(): JsonObject {
  const openAPIV3Schema = { type: 'object', properties: { most: { type: 'integer' } } };
  const version = { served: true, schema: { openAPIV3Schema } };
  const versions = [
    { ...version, name: 'v1', storage: true },
    { ...version, name: 'v2', storage: false },
  ];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'limits.limits.example.dev' },
    spec: { group: 'limits.example.dev', scope: 'Namespaced', names: { plural: 'limits', kind: 'Limit' }, versions },
  };
}

function configMap(name: string, data: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}
