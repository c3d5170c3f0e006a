import { CloudClient } from '../cloud-client.ts';
import { adminCredentials, MEMBER_NAME, MEMBER_PROJECT } from '../cloud-users.ts';
import { REGION } from '../configuration/authentication.ts';
import { endpointsOf } from '../configuration/cloud-address.ts';
import type { CloudAddress, ServiceType } from '../configuration/cloud-address.ts';
import { field } from '../field.ts';
import { LocalOpenStackError } from '../local-openstack-error.ts';

const SERVICE_NAMES: Readonly<Record<ServiceType, string>> = {
  identity: 'keystone',
  placement: 'placement',
  compute: 'nova',
  image: 'glance',
  network: 'neutron',
};
const INTERFACES = ['public', 'internal', 'admin'] as const;
const FLAVORS = [
  { id: '1', name: 'm1.tiny', ram: 512, vcpus: 1, disk: 1 },
  { id: '2', name: 'm1.small', ram: 2048, vcpus: 2, disk: 1 },
  { id: '3', name: 'm1.medium', ram: 4096, vcpus: 4, disk: 10 },
] as const;
/** The image a smoke test boots. Nothing reads it with a driver that pretends; with the other one, it is a disk that is empty. */
const IMAGE_NAME = 'cirros-kvm';
const IMAGE_BYTES = 1 << 20;

/** Makes what every cloud has, through the services themselves: catalog, users, flavors and an image. */
export async function seedCloud(address: CloudAddress, password: string, signal: AbortSignal): Promise<void> {
  const endpoints = endpointsOf(address);
  const client = await CloudClient.logIn(endpoints.identity, adminCredentials(password), signal);
  const identity = new Identity(client, endpoints.identity);
  await seedCatalog(identity, endpoints);
  await seedUsers(identity, password);
  for (const flavor of FLAVORS)
    await client.request(`${endpoints.compute}/flavors`, { method: 'POST', body: { flavor } });
  await seedImage(client, endpoints.image);
}

/** Keystone's way to make and find things. */
class Identity {
  readonly #client: CloudClient;
  readonly #url: string;

  constructor(client: CloudClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  async create(kind: string, value: object): Promise<string> {
    const body = { [kind]: value };
    const answer = await this.#client.request(`${this.#url}/${kind}s`, { method: 'POST', body });
    return idOf(field(answer, kind));
  }

  async find(kind: string, query: string): Promise<string> {
    const found = field(await this.#client.request(`${this.#url}/${kind}s?${query}`), `${kind}s`);
    return idOf(Array.isArray(found) ? found[0] : undefined);
  }

  async grant(project: string, user: string, role: string): Promise<void> {
    const path = `projects/${project}/users/${user}/roles/${role}`;
    await this.#client.request(`${this.#url}/${path}`, { method: 'PUT' });
  }
}

async function seedCatalog(identity: Identity, endpoints: Readonly<Record<ServiceType, string>>): Promise<void> {
  const services = new Map<string, string>();
  for (const [type, name] of Object.entries(SERVICE_NAMES))
    services.set(type, await identity.create('service', { type, name }));
  for (const [type, url] of Object.entries(endpoints)) {
    for (const each of INTERFACES) {
      const endpoint = { service_id: services.get(type), interface: each, region_id: REGION, url };
      await identity.create('endpoint', endpoint);
    }
  }
}

async function seedUsers(identity: Identity, password: string): Promise<void> {
  const project = await identity.create('project', { name: MEMBER_PROJECT, domain_id: 'default' });
  const member = await identity.create('user', { name: MEMBER_NAME, password, domain_id: 'default' });
  await identity.grant(project, member, await identity.find('role', 'name=member'));
  // An operator boots its test servers in that project, on a host of its choice, which takes an administrator.
  const admin = await identity.find('user', 'name=admin');
  await identity.grant(project, admin, await identity.find('role', 'name=admin'));
}

async function seedImage(client: CloudClient, url: string): Promise<void> {
  const body = { name: IMAGE_NAME, disk_format: 'raw', container_format: 'bare', visibility: 'public' };
  const image = idOf(await client.request(`${url}/v2/images`, { method: 'POST', body }));
  await client.request(`${url}/v2/images/${image}/file`, { method: 'PUT', body: new Uint8Array(IMAGE_BYTES) });
}

function idOf(value: unknown): string {
  const id = field(value, 'id');
  if (typeof id === 'string') return id;
  throw new LocalOpenStackError('request-failed', `An answer without an id: ${JSON.stringify(value)}`);
}
