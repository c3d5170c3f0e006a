import { ComputeError, type NewTestInstance, type SmokeTests, type TestInstance } from '@smalt/compute';
import { isOpenStackError, type BootSource, type OpenStackClient, type Server } from '@smalt/openstack';

import type { HostRegister } from './host-register.ts';
import { instanceState } from './instance-state.ts';
import type { SmokeTestSettings } from './openstack-compute-settings.ts';
import { SharedListing, type SharingOptions } from './shared-listing.ts';
import { asComputeErrors, toComputeError, unlessGone } from './to-compute-error.ts';

export interface OpenStackSmokeTestsOptions {
  /** In the project of the test instances. */
  readonly client: OpenStackClient;
  readonly register: HostRegister;
  readonly settings: SmokeTestSettings;
  readonly sharing: SharingOptions;
}

/** The ids of what test instances are made of. */
interface Ingredients {
  readonly imageId: string;
  readonly flavorId: string;
  readonly networkIds: readonly string[];
}

/** Test instances: servers of a project of their own. */
export class OpenStackSmokeTests implements SmokeTests {
  readonly #client: OpenStackClient;
  readonly #register: HostRegister;
  readonly #settings: SmokeTestSettings;
  readonly #ingredients: SharedListing<Ingredients>;

  constructor({ client, register, settings, sharing }: OpenStackSmokeTestsOptions) {
    this.#client = client;
    this.#register = register;
    this.#settings = settings;
    this.#ingredients = new SharedListing({
      ...sharing,
      listingMs: settings.lookupMs,
      what: 'image, flavor and network of test instances',
      fetch: (signal) => asComputeErrors('read', () => findIngredients(client, settings, signal)),
    });
  }

  async list(prefix: string, signal: AbortSignal): Promise<readonly TestInstance[]> {
    // To Nova this is a regular expression, and which kind depends on its database: we look ourselves as well.
    const name = `^${prefix.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`;
    const call = () => this.#client.compute.servers.list({ name }, { signal }).all();
    const servers = await asComputeErrors('read', call);
    return servers.filter((server) => server.name?.startsWith(prefix) === true).map(testInstance);
  }

  async start({ name, host, zone }: NewTestInstance, signal: AbortSignal): Promise<void> {
    const [serviceHost, { imageId, flavorId, networkIds }] = await Promise.all([
      this.#register.serviceHost(host, signal),
      this.#ingredients.value(signal),
    ]);
    const boot = bootSource(imageId, this.#settings);
    // With a host in the zone, the scheduler is not asked, and the host may be one that takes no others.
    const server = { name, flavorId, networkIds, boot, availabilityZone: `${zone}:${serviceHost}` };
    try {
      await this.#client.compute.servers.create(server, { signal });
    } catch (error) {
      // An image, flavor or network that was replaced meanwhile is looked for anew.
      if (isOpenStackError(error, 'bad-request', 'not-found')) this.#ingredients.forget();
      throw toComputeError(error, 'write');
    }
  }

  async console(id: string, lines: number, signal: AbortSignal): Promise<string> {
    return await asComputeErrors('read', () => this.#client.compute.actions.consoleOutput(id, { lines, signal }));
  }

  async delete(id: string, signal: AbortSignal): Promise<void> {
    await unlessGone('write', () => this.#client.compute.servers.delete(id, { signal }));
  }
}

function testInstance(server: Server): TestInstance {
  return {
    id: server.id,
    name: server.name ?? '',
    state: instanceState(server),
    fault: server.fault?.message,
    createdAt: server.createdAt,
    launchedAt: server.launchedAt,
  };
}

function bootSource(imageId: string, { volume }: SmokeTestSettings): BootSource {
  if (!volume.isUsed) return { kind: 'image', imageId };
  // Set, so that it does not depend on what the image asks for.
  return { kind: 'new-volume', imageId, sizeGiB: volume.sizeGiB, type: volume.type, bus: 'virtio' };
}

async function findIngredients(
  client: OpenStackClient,
  settings: SmokeTestSettings,
  signal: AbortSignal,
): Promise<Ingredients> {
  const [image, flavorId, networkIds] = await Promise.all([
    client.images.findByName(settings.image, { signal }),
    findFlavor(client, settings.flavor, signal),
    findNetworks(client, settings, signal),
  ]);
  if (image === undefined) throw missing('image', `no image that can be used is called ${settings.image}`);
  return { imageId: image.id, flavorId, networkIds };
}

async function findFlavor({ compute }: OpenStackClient, idOrName: string, signal: AbortSignal): Promise<string> {
  const byId = await unlessGone('read', () => compute.flavors.get(idOrName, { signal }));
  const flavor = byId ?? (await compute.flavors.findByName(idOrName, { signal }));
  if (flavor === undefined) throw missing('flavor', `no flavor has the id or the name ${idOrName}`);
  return flavor.id;
}

async function findNetworks(
  { networks }: OpenStackClient,
  { network }: SmokeTestSettings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  switch (network.kind) {
    case 'none':
      return [];
    case 'first': {
      const own = await networks.list({ isShared: false }, { signal }).all();
      const ids = own.filter(({ isShared }) => !isShared).map(({ id }) => id);
      const [first] = ids.toSorted();
      if (first === undefined) throw missing('network', 'there is no network that is not shared');
      return [first];
    }
    case 'named': {
      const { nameOrId } = network;
      const all = await networks.list({}, { signal }).all();
      const found = all.filter(({ id, name }) => id === nameOrId || name === nameOrId);
      const exact = found.find(({ id }) => id === nameOrId) ?? found[0];
      if (exact === undefined) throw missing('network', `no network has the id or the name ${nameOrId}`);
      if (exact.id !== nameOrId && found.length > 1) {
        throw missing('network', `${found.length} networks are called ${nameOrId}: name one by its id`);
      }
      return [exact.id];
    }
  }
}

function missing(field: string, message: string): ComputeError {
  return new ComputeError('refused', `smokeTest.${field}: ${message}`);
}
