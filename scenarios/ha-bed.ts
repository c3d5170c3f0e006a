import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  ChartAccounts,
  freePorts,
  installDefinitions,
  startTestApiServer,
  type TestApiServer,
} from '@smalt/bed-kubernetes';
import { startOpenStack, type OpenStackCloud } from '@smalt/bed-openstack';
import { makeAuthority as makeBmcAuthority, PASSWORD, USER, type TestAuthority } from '@smalt/bed-redfish';
import { leaseKind } from '@smalt/controller-runtime';
import { hypervisorKind, readFleetDefinitions } from '@smalt/fleet-api';
import { isNotFound, KubeClient, loadKubeConfig } from '@smalt/kube';
import { loadCloudConfig, OpenStackClient } from '@smalt/openstack';

import { addCountingImage } from './counting-guest.ts';
import { HaHost } from './ha-host.ts';
import { HaServiceProcess } from './ha-service-process.ts';
import { makeAuthority, makeNodeCertificate } from './make-node-certificate.ts';
import { keepNodeLeases } from './node-leases.ts';

/** Where replicas of the service agree who leads. */
const LEASES = 'smalt-system';
const COMPUTES = ['hv-a', 'hv-b', 'hv-c'] as const;

/** A fleet for high availability: three hypervisors with real guests, a real Nova, an API server, BMCs, agents, the service. */
export interface HaBed extends AsyncDisposable {
  readonly cloud: OpenStackCloud;
  readonly nova: OpenStackClient;
  readonly api: KubeClient;
  readonly apiServer: TestApiServer;
  readonly hosts: readonly HaHost[];
  readonly service: HaServiceProcess;
  /** Where the files of the fleet are. */
  readonly directory: string;
  /** The section of the service's configuration. */
  readonly sources: Readonly<Record<string, unknown>>;
  /** Starts the service again; it leads at once. */
  restartService(): Promise<void>;
  /** Boots a guest that counts on its disk, and gives its id. */
  boot(name: string, host: string): Promise<string>;
  /** The disk of a guest, which all hosts share. */
  diskOf(id: string): string;
}

export interface HaBedOptions {
  /** What the service is told beside what the bed knows best. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** Starts all of it. */
export async function startHaBed(options: HaBedOptions): Promise<HaBed> {
  await using stack = new AsyncDisposableStack();
  const { path: directory } = stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-ha-')));
  const fleet = await startFleet(stack, directory, options.signal);
  const { cloud, nova, hosts } = fleet;
  const imageId = await addCountingImage(cloud, directory);
  const place = await servicePlace(hosts, directory);
  const own = await serviceConfig(directory, { ...fleet, place });
  const service = stack.use(
    await HaServiceProcess.start({
      directory,
      url: place.url,
      authorityFile: join(directory, 'ca.pem'),
      cloud: cloud.environment(),
      config: { ...own, ...options.config },
    }),
  );
  await startAgents(hosts, directory, place.url);
  const [first] = hosts;
  const boot = { kind: 'image', imageId } as const;
  const owned = stack.move();
  return {
    ...fleet,
    directory,
    sources: own.sources,
    service,
    async restartService() {
      // A lease that nobody holds is taken at once; until it runs out by itself takes a quarter of a minute. There may be none yet.
      const leases = fleet.api.resource(leaseKind);
      await leases.delete('smalt-ha-service', { namespace: LEASES }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      await service.restart();
    },
    diskOf: (id) => `${first?.machine.network.storagePath}/instances/${id}/disk`,
    boot: (name, host) => nova.compute.servers.create({ name, flavorId: '1', boot, networkIds: [], host }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Fleet extends Pick<HaBed, 'cloud' | 'nova' | 'api' | 'apiServer' | 'hosts'> {
  readonly bmcAuthority: TestAuthority;
}

/** All but the service and what only it needs. */
async function startFleet(owner: AsyncDisposableStack, directory: string, signal: AbortSignal): Promise<Fleet> {
  const wishes = { computes: COMPUTES, driver: 'libvirt', downSeconds: 6, signal } as const;
  const cloud = owner.use(await startOpenStack(wishes));
  const apiServer = owner.use(await startTestApiServer({ isCluster: true, signal }));
  const cloudConfig = await loadCloudConfig({ environment: cloud.environment() });
  const nova = owner.use(new OpenStackClient({ config: cloudConfig, userAgent: 'test/1' }));
  const kubeConfig = await loadKubeConfig({ path: apiServer.kubeconfig, environment: {} });
  const api = owner.use(new KubeClient({ config: kubeConfig, userAgent: 'test/1' }));
  await installDefinitions(api, await readFleetDefinitions(), signal);
  for (const name of COMPUTES) await addHypervisor(api, nova, name);
  const bmcAuthority = owner.use(await makeBmcAuthority());
  const hosts: HaHost[] = [];
  for (const compute of cloud.computes) {
    const own = join(directory, compute.name);
    await mkdir(own);
    hosts.push(owner.use(await HaHost.open({ compute, bmcAuthority, directory: own })));
  }
  owner.use(await keepNodeLeases(api, hosts));
  return { cloud, nova, api, apiServer, hosts, bmcAuthority };
}

interface ServicePlace {
  readonly url: string;
  readonly listen: string;
}

/** The service is on the network of the hosts, beside them. */
async function servicePlace(hosts: readonly HaHost[], directory: string): Promise<ServicePlace> {
  const address = hosts[0]?.machine.network.address ?? '';
  const [port = 0] = await freePorts(1);
  makeAuthority(directory);
  makeNodeCertificate(directory, 'service', 'ha-service', `IP:127.0.0.1,IP:${address}`);
  return { url: `https://${address}:${port}`, listen: `${address}:${port}` };
}

interface ServiceParts extends Pick<Fleet, 'hosts' | 'api' | 'apiServer' | 'bmcAuthority'> {
  readonly place: ServicePlace;
}

async function serviceConfig(
  directory: string,
  { hosts, api, apiServer, bmcAuthority, place }: ServiceParts,
): Promise<Readonly<Record<string, unknown>> & Pick<HaBed, 'sources'>> {
  const passwordFile = join(directory, 'bmc-password');
  await writeFile(passwordFile, PASSWORD);
  const accounts = new ChartAccounts({ admin: api, kubeconfig: apiServer.kubeconfig });
  await accounts.install({ files: ['ha-service'] }, AbortSignal.timeout(60_000));
  const kubeconfig = await accounts.kubeconfig({ name: 'smalt-ha-service' }, directory);
  const level = {
    driver: 'redfish',
    name: 'bmc',
    url: 'https://{host}.bmc.invalid',
    user: USER,
    passwordFile,
    authorityFile: bmcAuthority.authorityFile,
    timeoutMs: 2_000,
    perHost: Object.fromEntries(hosts.map(({ name, bmc }) => [name, { url: bmc.url }])),
  };
  return {
    listen: place.listen,
    tls: { certificateFile: join(directory, 'service.pem'), keyFile: join(directory, 'service-key.pem') },
    store: { kind: 'sqlite', path: join(directory, 'ha.sqlite') },
    sources: { push: { authorityFile: join(directory, 'ca.pem') } },
    fencing: { levels: [level], check: { intervalMs: 60_000 } },
    compute: { allowsInsecure: true },
    kubernetes: { kubeconfig, leaseNamespace: LEASES },
  };
}

async function startAgents(hosts: readonly HaHost[], directory: string, url: string): Promise<void> {
  await writeFile(join(directory, 'reports.yaml'), 'intervals:\n  uptimeSeconds: 1\n  instancesSeconds: 5\n');
  for (const host of hosts) {
    makeNodeCertificate(directory, host.name);
    const ha = {
      url,
      certificate: join(directory, `${host.name}.pem`),
      key: join(directory, `${host.name}-key.pem`),
      authority: join(directory, 'ca.pem'),
      reports: join(directory, 'reports.yaml'),
    };
    const own = join(directory, host.name);
    const libvirt = `qemu+unix:///system?socket=${host.machine.socketPath}`;
    const config = { node: host.name, state: join(own, 'state'), libvirt, listen: '', ha };
    await writeFile(join(own, 'agent.yaml'), JSON.stringify(config));
    await host.startAgent();
  }
}

/** A hypervisor that the operator has taken into use. */
async function addHypervisor(api: KubeClient, nova: OpenStackClient, name: string): Promise<void> {
  const service = await nova.compute.services.findCompute(name);
  const hypervisor = (await nova.compute.hypervisors.list().all()).find(({ hostname }) => hostname === name);
  const spec = {
    aggregates: [],
    allowedProjects: [],
    createCertManagerCertificate: false,
    customTraits: [],
    evacuateOnReboot: false,
    highAvailability: true,
    installCertificate: false,
    // Nobody else enables it.
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
  const status = { hypervisorId: hypervisor?.id ?? '', serviceId: service?.id ?? '', conditions };
  await api.resource(hypervisorKind).patch(name, 'merge', { status }, { subresource: 'status' });
}
