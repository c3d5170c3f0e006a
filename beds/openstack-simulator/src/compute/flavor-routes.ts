import type { JsonObject } from '@smalt/json';

import type { CloudBooks } from '../books/cloud-books.ts';
import type { ServerFlavor } from '../books/server.ts';
import { pageOf } from '../page-of.ts';
import type { Routes } from '../router.ts';
import { refusal } from '../simulator-error.ts';

/** What Nova answers about flavors. */
export function flavorRoutes(books: CloudBooks): Routes {
  return {
    'GET /flavors/detail': (request) => {
      const page = pageOf([...books.flavors.values()], request, { path: request.path, idOf: ({ id }) => id });
      const flavors = page.items.map((flavor) => flavorDocument(flavor));
      return { status: 200, body: { flavors, ...(page.next !== undefined && { flavors_links: page.next }) } };
    },
    'GET /flavors/{flavor}': ({ ids }) => {
      const flavor = books.flavors.get(ids['flavor'] ?? '');
      if (flavor === undefined) throw refusal(404, `Flavor ${ids['flavor']} could not be found.`);
      return { status: 200, body: { flavor: flavorDocument(flavor) } };
    },
  };
}

function flavorDocument(flavor: ServerFlavor): JsonObject {
  return {
    id: flavor.id,
    name: flavor.name,
    vcpus: flavor.vcpus,
    ram: flavor.memoryMiB,
    disk: flavor.diskGiB,
    swap: 0,
    'OS-FLV-EXT-DATA:ephemeral': flavor.ephemeralGiB,
    'OS-FLV-DISABLED:disabled': false,
    'os-flavor-access:is_public': true,
    rxtx_factor: 1,
    description: null,
    links: [],
    extra_specs: flavor.extraSpecs,
  };
}
