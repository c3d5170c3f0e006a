import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { mergeValues } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { renderedObjects, type RenderedObject } from './rendered-objects.ts';

const helm = findHelm() ?? '';
const READERS = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }];
const HTTPS = { ports: [{ port: 'https' }] };
const METRICS = { ports: [{ port: 'metrics' }] };
const SECURITY = resolve(import.meta.dirname, '../../docs/install/security.md');
const POLICY = 'ValidatingAdmissionPolicy';
const POLICIES = [
  'smalt-certificates-secrets',
  'smalt-definitions',
  'smalt-fence-proofs',
  'smalt-launcher-pods',
  'smalt-node-agent-own-events',
  'smalt-node-agent-own-migrations',
  'smalt-node-agent-own-node',
  'smalt-ovs-agent-own-node',
  'smalt-virt-api-secrets',
  'smalt-virt-api-tokens',
  'smalt-virt-api-trust',
  'smalt-virt-handler-own-events',
  'smalt-virt-handler-own-instances',
  'smalt-virt-handler-own-node',
];
const BOTH = { ports: [...HTTPS.ports, ...METRICS.ports] };

describe.skipIf(helm === '')('the policies of the chart (need helm: npm run bed:kubernetes -- --build)', () => {
  it('open the ports that a part serves to everybody, and none of what serves nothing', async () => {
    expect(await ingressOf({})).toEqual({
      'smalt-certificates': undefined,
      'smalt-console': [BOTH],
      'smalt-ha-service': [BOTH],
      'smalt-hypervisor-operator': [METRICS],
      'smalt-logs': [METRICS],
      'virt-api': [BOTH],
      'virt-controller': [METRICS],
    });
  });

  it('open metrics to those alone whom networkPolicies.metricsFrom names', async () => {
    const metrics = { from: READERS, ...METRICS };

    expect(await ingressOf({ metricsFrom: READERS })).toEqual({
      'smalt-certificates': undefined,
      'smalt-console': [HTTPS, metrics],
      'smalt-ha-service': [HTTPS, metrics],
      'smalt-hypervisor-operator': [metrics],
      'smalt-logs': [metrics],
      'virt-api': [HTTPS, metrics],
      'virt-controller': [metrics],
    });
  });

  it('are left out where they are not wanted', async () => {
    expect(await ingressOf({ enabled: false })).toEqual({});
  });
});

describe.skipIf(helm === '')(
  'the admission policies of the chart (need helm: npm run bed:kubernetes -- --build)',
  () => {
    it('are all bound, refuse what they cannot judge, and name accounts of the release alone', async () => {
      const objects = await objectsOf({}, 'elsewhere');
      const policies = objects.filter(({ kind }) => kind === POLICY);

      expect(policies.map(({ metadata }) => metadata.name).toSorted()).toEqual(POLICIES);
      expect(policies.filter(({ spec }) => Object(spec).failurePolicy !== 'Fail')).toEqual([]);
      expect(boundBy(objects).toSorted()).toEqual(POLICIES);
      expect(JSON.stringify(policies)).not.toContain('smalt-system');
    });

    it('are all told of in the security model', async () => {
      const text = await readFile(SECURITY, 'utf8');

      expect(POLICIES.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
    });

    it.each([
      { part: 'virtApi', without: ['smalt-virt-api-secrets', 'smalt-virt-api-tokens', 'smalt-virt-api-trust'] },
      {
        part: 'virtHandler',
        without: ['smalt-virt-handler-own-events', 'smalt-virt-handler-own-instances', 'smalt-virt-handler-own-node'],
      },
    ])('of other parts stay when $part is off', async ({ part, without }) => {
      const names = boundBy(await objectsOf({ [part]: { enabled: false } })).toSorted();

      expect(names).toEqual(POLICIES.filter((name) => !without.includes(name)));
    });

    it.each([{}, { certificates: { source: 'cert-manager', issuer: { name: 'authority' } } }])(
      'hold everybody who may make Secrets to theirs, with %o',
      async (values) => {
        const objects = await objectsOf(values);

        const makers = accountsThat(objects, 'create', 'secrets');

        const isHeld = (account: string): boolean =>
          objects.some(({ kind, spec }) => kind === POLICY && isAbout(Object(spec), account, 'secrets'));
        expect(makers).toContain('smalt-certificates');
        expect(makers.filter((account) => !isHeld(account))).toEqual([]);
      },
    );
  },
);

/** By the bindings that refuse. */
function boundBy(objects: readonly RenderedObject[]): readonly string[] {
  const bindings = objects.filter(({ kind }) => kind === `${POLICY}Binding`).map(({ spec }) => Object(spec));
  return bindings
    .filter(({ validationActions }) => validationActions.includes('Deny'))
    .map(({ policyName }) => policyName);
}

/** The accounts that a role lets do something by all names. */
function accountsThat(objects: readonly RenderedObject[], verb: string, resource: string): readonly string[] {
  const roles = objects
    .filter(({ rules = [] }) => rules.some((rule) => rule.resources?.includes(resource) && rule.verbs.includes(verb)))
    .map(({ metadata }) => metadata.name);
  const bindings = objects.filter((object) => roles.includes(Object(Object(object).roleRef).name));
  return [...new Set(bindings.flatMap(({ subjects = [] }) => subjects.map(({ name }) => name)))].toSorted();
}

interface PolicySpec {
  readonly matchConstraints: { readonly resourceRules: readonly { readonly resources: readonly string[] }[] };
  readonly matchConditions?: readonly { readonly expression: string }[];
}

function isAbout({ matchConstraints, matchConditions = [] }: PolicySpec, account: string, resource: string): boolean {
  const isResource = matchConstraints.resourceRules.some(({ resources }) => resources.includes(resource));
  const user = `"system:serviceaccount:smalt-system:${account}"`;
  return isResource && matchConditions.some(({ expression }) => expression.includes(user));
}

async function objectsOf(values: object, namespace = 'smalt-system'): Promise<readonly RenderedObject[]> {
  const all = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), { ...values });
  return renderedObjects(await renderChart(helm, { namespace, values: all }));
}

async function ingressOf(networkPolicies: object): Promise<Readonly<Record<string, unknown>>> {
  const values = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), { networkPolicies });
  const policies = renderedObjects(await renderChart(helm, { values })).filter(({ kind }) => kind === 'NetworkPolicy');
  return Object.fromEntries(policies.map(({ metadata, spec }) => [metadata.name, Object(spec).ingress]));
}
