import type { VersionSpan } from '../microversion.ts';
import { ServiceClient, type CallOptions } from '../service-client.ts';
import type { Session } from '../session.ts';
import { Allocations } from './allocations.ts';
import { ResourceProviders } from './resource-providers.ts';

/** Placement. */
export class Placement {
  readonly providers: ResourceProviders;
  readonly allocations: Allocations;
  readonly #client: ServiceClient;

  constructor(session: Session) {
    const client = new ServiceClient({ name: 'placement', versionPath: '', major: 1 }, session);
    this.providers = new ResourceProviders(client);
    this.allocations = new Allocations(client);
    this.#client = client;
  }

  /** The microversions that this Placement knows. */
  async versions({ signal }: CallOptions = {}): Promise<VersionSpan> {
    return await this.#client.versions(signal);
  }
}
