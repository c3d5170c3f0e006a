import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePorts } from '@smalt/bed-kubernetes';
import { makeAuthority as makeBmcAuthority, PASSWORD, USER } from '@smalt/bed-redfish';
import { hypervisorKind } from '@smalt/fleet-api';
import type { KubeClient } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';

import { HaServiceProcess } from '../ha-service-process.ts';
import { makeAuthority, makeNodeCertificate } from '../make-node-certificate.ts';
import { SYSTEM_NAMESPACE } from './deploy-virt-api.ts';
import { PoweredHost } from './powered-host.ts';
import type { VmWorld } from './vm-world.ts';

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

/** The HA service, and what it needs of each node: an agent inside, and the management controller that powers it. */
export interface FleetGuard extends AsyncDisposable {
  readonly service: HaServiceProcess;
  readonly hosts: readonly PoweredHost[];
}

/** Puts the nodes of a world under the watch of the HA service. The world has to know the kind Hypervisor. */
export async function startFleetGuard(world: VmWorld, config: Readonly<Record<string, unknown>>): Promise<FleetGuard> {
  await using stack = new AsyncDisposableStack();
  const directory = join(world.directory, 'ha');
  await mkdir(directory);
  makeAuthority(directory);
  const { address } = world.network;
  makeNodeCertificate(directory, 'service', 'ha-service', `IP:127.0.0.1,IP:${address}`);
  const [port = 0] = await freePorts(1);
  const listen = `${address}:${port}`;
  const authority = stack.use(await makeBmcAuthority());
  await writeFile(join(directory, 'reports.yaml'), 'intervals:\n  uptimeSeconds: 1\n  instancesSeconds: 5\n');
  const hosts: PoweredHost[] = [];
  for (const host of world.hosts) {
    await addHypervisor(world.control.admin, host.name);
    makeNodeCertificate(directory, host.name);
    const ha = agentConfig(directory, host.name, `https://${listen}`);
    hosts.push(stack.use(await PoweredHost.open({ host, authority, ha })));
  }
  await writeFile(join(directory, 'bmc-password'), PASSWORD);
  const service = stack.use(
    await HaServiceProcess.start({
      directory,
      url: `https://${listen}`,
      authorityFile: join(directory, 'ca.pem'),
      cloud: {},
      config: {
        ...serviceConfig({ directory, listen, kubeconfig: await account(world, directory) }),
        fencing: fencing(hosts, directory, authority.authorityFile),
        ...config,
      },
    }),
  );
  const owned = stack.move();
  return { service, hosts, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function agentConfig(directory: string, name: string, url: string): Readonly<Record<string, string>> {
  return {
    url,
    certificate: join(directory, `${name}.pem`),
    key: join(directory, `${name}-key.pem`),
    authority: join(directory, 'ca.pem'),
    reports: join(directory, 'reports.yaml'),
  };
}

interface ServicePlace {
  readonly directory: string;
  readonly listen: string;
  readonly kubeconfig: string;
}

/** How the service reaches the API: as itself, with what the chart lets it do where machines are its compute system. */
async function account({ control }: VmWorld, directory: string): Promise<string> {
  const files = ['hypervisor-operator', 'ha-service', 'virtual-machines-compute'];
  await control.accounts.install({ files, namespaces: ['nova', 'monsoon3'] }, AbortSignal.timeout(120_000));
  return await control.accounts.kubeconfig({ name: 'smalt-ha-service' }, directory);
}

function serviceConfig({ directory, listen, kubeconfig }: ServicePlace): Readonly<Record<string, unknown>> {
  return {
    listen,
    tls: { certificateFile: join(directory, 'service.pem'), keyFile: join(directory, 'service-key.pem') },
    store: { kind: 'sqlite', path: join(directory, 'ha.sqlite') },
    sources: { push: { authorityFile: join(directory, 'ca.pem') } },
    compute: { kind: 'virtual-machines' },
    kubernetes: { kubeconfig, leaseNamespace: SYSTEM_NAMESPACE },
  };
}

function fencing(
  hosts: readonly PoweredHost[],
  directory: string,
  authorityFile: string,
): Readonly<Record<string, unknown>> {
  const level = {
    driver: 'redfish',
    name: 'bmc',
    url: 'https://{host}.bmc.invalid',
    user: USER,
    passwordFile: join(directory, 'bmc-password'),
    authorityFile,
    timeoutMs: 2_000,
    perHost: Object.fromEntries(hosts.map(({ name, bmc }) => [name, { url: bmc.url }])),
  };
  return { levels: [level], check: { intervalMs: 60_000 } };
}

/** A hypervisor that the operator has taken into use. */
async function addHypervisor(api: KubeClient, name: string): Promise<void> {
  const node = await api.resource(nodeKind).get(name);
  const spec = {
    aggregates: [],
    allowedProjects: [],
    createCertManagerCertificate: false,
    customTraits: [],
    evacuateOnReboot: false,
    highAvailability: true,
    installCertificate: false,
    lifecycleEnabled: false,
    reboot: false,
    skipTests: true,
  };
  const labels = { 'topology.kubernetes.io/zone': 'az1' };
  await api.resource(hypervisorKind).create({ metadata: { name, labels }, spec });
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = [
    { type: 'Onboarding', status: 'False', reason: 'Succeeded', message: 'Onboarding completed', lastTransitionTime },
  ];
  const status = { hypervisorId: node.metadata.uid ?? '', serviceId: name, conditions };
  await api.resource(hypervisorKind).patch(name, 'merge', { status }, { subresource: 'status' });
}
