import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { mergeValues } from './fixtures/changed-value.ts';
import { everyPart } from './fixtures/every-part.ts';
import { NO_DEFINITIONS } from './fixtures/no-definitions.ts';
import { findHelm, renderChart } from './helm.ts';
import { renderedObjects, type RenderedObject } from './rendered-objects.ts';

const helm = findHelm() ?? '';

/** Settings that a right, a Service, a mount or a probe of the chart goes by. */
const HELD = [
  ['hypervisorOperator', 'leaderElect: false', 'leave it out'],
  ['hypervisorOperator', 'compute: openstack', 'say it as compute.kind'],
  ['hypervisorOperator', "metricsBindAddress: ':8081'", 'keep its port'],
  ['hypervisorOperator', "metricsBindAddress: '0'", 'keep its port'],
  ['haService', 'kubernetes.leaseNamespace: other', 'leave it out'],
  ['haService', 'kubernetes.audience: other', 'leave it out'],
  ['haService', 'tls.authority.configMap: other', 'leave it out'],
  ['haService', 'compute.kind: openstack', 'say it as compute.kind'],
  ['haService', 'store.kind: postgres', 'say it as haService.store.kind'],
  ['haService', "listen: ':9443'", 'keep its port'],
  ['haService', "observabilityListen: ''", 'keep its port'],
  ['haService', 'fencing.levels: [{name: a, driver: ironcore}]', 'a level has the driver ironcore'],
  ['nodeAgent', 'namespace: other', 'say it as nodeAgent.namespace'],
  ['nodeAgent', 'root: /other', 'leave it out'],
  ['nodeAgent', 'register: true', 'say it as nodeAgent.register'],
  ['nodeAgent', 'certificates.namespace: other', 'say it as libvirt.certificates.namespace'],
  ['ovsAgent', 'namespace: other', 'say it as ovsAgent.namespace'],
  ['ovsAgent', 'root: /other', 'leave it out'],
  ['ovsAgent', 'lock: /other', 'leave it out'],
  ['virtApi', 'namespace: other', 'leave it out'],
  ['virtApi', 'secret: other', 'leave it out'],
  ['virtApi', 'handlers.account: other', 'leave it out'],
  ['virtApi', "listen: ':9181'", 'keep its port'],
  ['virtApi', "serve.listen: ':443'", 'keep its port'],
  ['virtController', 'leaderElect: false', 'leave it out'],
  ['virtController', 'leaseNamespace: other', 'leave it out'],
  ['virtController', "listen: ''", 'keep its port'],
  ['virtController', 'launcher.daemonModel: host', 'leave it out'],
  ['virtHandler', 'namespace: other', 'leave it out'],
  ['virtHandler', 'kubelet.devicePlugins: /other', 'say it as virtHandler.kubeletDirectory'],
  ['console', "serve.origins: ['https://other.example']", 'say it as console.origins'],
  ['console', 'sessions.signedOutConfigMap: a/b', 'leave it out'],
  ['console', "listen: ':9188'", 'keep its port'],
  ['console', "serve.listen: ':443'", 'keep its port'],
] as const;

describe.skipIf(helm === '')('a setting in config (needs helm: npm run bed:kubernetes -- --build)', () => {
  it.each(HELD)('of %s that would not be followed is refused with what to do: %s', async (part, setting, advice) => {
    const [path = '', value = ''] = setting.split(/: (.*)/);

    await expect(objectsOf({ [part]: { config: nested(path, parse(value)) } })).rejects.toThrow(
      `${part}.config.${path}: ${advice}`,
    );
  });

  it.each([
    ['hypervisorOperator', '--lease-namespace=other', 'say leaseNamespace in hypervisorOperator.config'],
    ['virtController', '--lease-namespace=other', 'leave it out'],
    ['virtController', '--launcher-daemon-model=host', 'leave it out'],
    ['hypervisorOperator', '--label-selector=rack', 'say labelSelector in hypervisorOperator.config'],
    ['hypervisorOperator', '--agent-namespaces=other', 'say agentNamespaces in hypervisorOperator.config'],
    [
      'hypervisorOperator',
      '--virtual-machines-smoke-test-namespace=other',
      'say virtualMachines.smokeTest.namespace in hypervisorOperator.config',
    ],
    ['virtApi', '--serve-listen=:443', 'keep its port'],
  ])('of %s is refused as a flag too: %s', async (part, flag, advice) => {
    const name = flag.split('=')[0] ?? '';

    await expect(objectsOf({ [part]: { extraArgs: [flag] } })).rejects.toThrow(`${part}.extraArgs: ${name}: ${advice}`);
  });

  it.each([
    'hypervisorOperator: {config: {leaderElect: true, leaseNamespace: smalt-system, metricsBindAddress: "0.0.0.0:8080"}}',
    'haService: {config: {listen: "0.0.0.0:8443", kubernetes: {audience: smalt-ha-service, leaseName: other}}}',
    'haService: {ironcore: true, config: {fencing: {levels: [{name: a, driver: ironcore}]}}}',
    'virtApi: {config: {secret: smalt-virt-api-certificate, handlers: {account: smalt-virt-api}}}',
    'nodeAgent: {config: {certificates: {install: false}}}',
  ])('is taken where it says what the chart does, or nothing goes by it: %s', async (values) => {
    await expect(objectsOf(parse(values))).resolves.not.toEqual([]);
  });

  it('has the operator ask for certificates only where node agents look for them', async () => {
    const source = '{certificates: {source: cert-manager, issuer: {name: authority}}}';
    const values = parse(`{libvirt: ${source}, hypervisorOperator: {config: {certificate: {namespace: other}}}}`);

    await expect(objectsOf(values)).rejects.toThrow(
      'hypervisorOperator.config.certificate.namespace: say it as libvirt.',
    );
  });

  it('has node agents install certificates only where they get the rights for it', async () => {
    const values = parse(
      '{libvirt: {certificates: {source: none}}, nodeAgent: {config: {certificates: {install: true}}}}',
    );

    await expect(objectsOf(values)).rejects.toThrow('nodeAgent.config.certificates.install: say it as libvirt.');
  });

  it.each([
    ['https://ha.example:9443', 9443],
    ['https://ha.example/api', 443],
    ['https://[2001:db8::7]', 443],
  ])('that names an HA service elsewhere lets the console reach it: %s', async (url, port) => {
    const objects = await objectsOf({ console: { config: { highAvailability: { url } } } });

    const policy = objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'smalt-console');
    const { egress } = Object(policy?.spec);
    expect(egress.at(-1)).toEqual({ ports: [{ port }] });
  });
});

function nested(path: string, value: unknown): unknown {
  return path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value);
}

async function objectsOf(values: unknown): Promise<readonly RenderedObject[]> {
  const all = mergeValues(mergeValues(NO_DEFINITIONS, everyPart('on')), values);
  return renderedObjects(await renderChart(helm, { values: all }));
}
