import { hasRoom, hasTraits } from '../books/placement-books.ts';
import type { CloudBooks } from '../books/cloud-books.ts';
import type { Host } from '../books/host.ts';
import { requiredTraitsOf, resourcesOf, type Server } from '../books/server.ts';

/** A host that can take a server: available, in its zone, with its traits and room for it. The emptiest one wins. */
export function chooseHost(books: CloudBooks, server: Server, wanted: string | undefined): Host | undefined {
  if (wanted !== undefined) {
    const host = books.hostOfService(wanted);
    return host !== undefined && canTake(host, server) ? host : undefined;
  }
  let best: Host | undefined;
  for (const host of books.hosts) {
    if (best !== undefined && host.provider.consumers.size >= best.provider.consumers.size) continue;
    if (canTake(host, server)) best = host;
  }
  return best;
}

function canTake(host: Host, server: Server): boolean {
  if (!host.isAvailable || host === server.host) return false;
  if (server.requestedZone !== undefined && host.zone !== server.requestedZone) return false;
  return hasTraits(host.provider, requiredTraitsOf(server)) && hasRoom(host.provider, resourcesOf(server));
}
