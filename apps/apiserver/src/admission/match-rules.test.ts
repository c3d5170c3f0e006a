import type { Resource } from '@smalt/resource';
import { expect, it } from 'vitest';

import { isExemptFromPolicies, isExemptFromWebhooks, matchRules } from './match-rules.ts';
import type { AdmissionReview } from '../registry/admission.ts';

const base = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };

it.each([
  { rule: base, isMatched: true },
  { rule: { ...base, operations: ['*'] }, isMatched: true },
  { rule: { ...base, operations: ['DELETE'] }, isMatched: false },
  { rule: { ...base, apiGroups: ['*'] }, isMatched: true },
  { rule: { ...base, apiGroups: [''] }, isMatched: false },
  { rule: { ...base, resources: ['*'] }, isMatched: true },
  { rule: { ...base, resources: ['*/*'] }, isMatched: true },
  { rule: { ...base, resources: ['deployments/status'] }, isMatched: false },
  { rule: { ...base, resources: ['deployments/*'] }, isMatched: true },
  { rule: { ...base, scope: 'Namespaced' }, isMatched: true },
  { rule: { ...base, scope: 'Cluster' }, isMatched: false },
  { rule: { ...base, resourceNames: ['web'] }, isMatched: true },
  { rule: { ...base, resourceNames: ['other'] }, isMatched: false },
])('$rule matches: $isMatched', ({ rule, isMatched }) => {
  const set = { rules: [rule], excluded: [], isEquivalent: false };

  expect(matchRules(set, review(), () => []) !== undefined).toBe(isMatched);
});

it.each([
  { resources: ['deployments'], isMatched: false },
  { resources: ['*'], isMatched: false },
  { resources: ['deployments/status'], isMatched: true },
  { resources: ['*/status'], isMatched: true },
  { resources: ['*/*'], isMatched: true },
])('$resources means the status of a deployment: $isMatched', ({ resources, isMatched }) => {
  const set = { rules: [{ ...base, resources }], excluded: [], isEquivalent: false };

  expect(matchRules(set, { ...review(), subresource: 'status' }, () => []) !== undefined).toBe(isMatched);
});

it('leaves out what is excluded', () => {
  expect(matchRules({ rules: [base], excluded: [base], isEquivalent: false }, review(), () => [])).toBeUndefined();
});

it('finds the version that is asked for when another one is written, unless it is to be exact', () => {
  const beta = deployments('v1beta1');
  const rules = [{ ...base, apiVersions: ['v1beta1'] }];

  expect(matchRules({ rules, excluded: [], isEquivalent: true }, review(), () => [deployments('v1'), beta])).toBe(beta);
  expect(matchRules({ rules, excluded: [], isEquivalent: false }, review(), () => [beta])).toBeUndefined();
});

it.each([
  { group: 'admissionregistration.k8s.io', plural: 'validatingadmissionpolicies', asked: [] },
  { group: 'admissionregistration.k8s.io', plural: 'validatingadmissionpolicybindings', asked: [] },
  { group: 'admissionregistration.k8s.io', plural: 'mutatingwebhookconfigurations', asked: ['policies'] },
  { group: 'admissionregistration.k8s.io', plural: 'validatingwebhookconfigurations', asked: ['policies'] },
  { group: 'elsewhere.io', plural: 'validatingadmissionpolicies', asked: ['policies', 'webhooks'] },
  { group: 'apiregistration.k8s.io', plural: 'apiservices', asked: ['policies', 'webhooks'] },
])('$asked are asked about $plural of $group', ({ group, plural, asked }) => {
  const about = { resource: { ...deployments('v1'), group, plural } };

  expect([
    ...(isExemptFromPolicies(about) ? [] : ['policies']),
    ...(isExemptFromWebhooks(about) ? [] : ['webhooks']),
  ]).toEqual(asked);
});

function deployments(version: string): Resource {
  return { group: 'apps', version, kind: 'Deployment', plural: 'deployments', isNamespaced: true } as Resource;
}

function review(): AdmissionReview {
  return {
    operation: 'CREATE',
    resource: deployments('v1'),
    subresource: '',
    namespace: 'default',
    name: 'web',
    object: {},
    oldObject: undefined,
    user: { name: 'jane', groups: [], extra: {} },
    dryRun: false,
    options: {},
    addWarning: () => undefined,
  };
}
