import type { VersionSpan } from '../microversion.ts';
import { ServiceClient, type CallOptions } from '../service-client.ts';
import type { Session } from '../session.ts';
import { Aggregates } from './aggregates.ts';
import { Flavors } from './flavors.ts';
import { ComputeHypervisors } from './hypervisors.ts';
import { Migrations } from './migrations.ts';
import { ServerActions } from './server-actions.ts';
import { Servers } from './servers.ts';
import { ComputeServices } from './services.ts';

/** Nova. */
export class Compute {
  readonly services: ComputeServices;
  readonly hypervisors: ComputeHypervisors;
  readonly servers: Servers;
  readonly actions: ServerActions;
  readonly migrations: Migrations;
  readonly aggregates: Aggregates;
  readonly flavors: Flavors;
  readonly #client: ServiceClient;

  constructor(session: Session) {
    const client = new ServiceClient({ name: 'compute', versionPath: '/v2.1', major: 2 }, session);
    this.services = new ComputeServices(client);
    this.hypervisors = new ComputeHypervisors(client);
    this.servers = new Servers(client);
    this.actions = new ServerActions(client);
    this.migrations = new Migrations(client);
    this.aggregates = new Aggregates(client);
    this.flavors = new Flavors(client);
    this.#client = client;
  }

  /** The microversions that this Nova knows. */
  async versions({ signal }: CallOptions = {}): Promise<VersionSpan> {
    return await this.#client.versions(signal);
  }
}
