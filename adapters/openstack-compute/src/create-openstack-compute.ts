import type { Compute } from '@smalt/compute';
import type { Clock, OpenStackClient } from '@smalt/openstack';

import { HostRegister } from './host-register.ts';
import { OpenStackAggregates } from './openstack-aggregates.ts';
import type { OpenStackComputeSettings } from './openstack-compute-settings.ts';
import { OpenStackEvacuations } from './openstack-evacuations.ts';
import { OpenStackHosts } from './openstack-hosts.ts';
import { OpenStackInstances } from './openstack-instances.ts';
import { OpenStackMoves } from './openstack-moves.ts';
import { OpenStackSmokeTests } from './openstack-smoke-tests.ts';
import { OpenStackTraits } from './openstack-traits.ts';
import type { SharingOptions } from './shared-listing.ts';

export interface OpenStackComputeOptions {
  /** A user with the role admin; its project does not matter. */
  readonly client: OpenStackClient;
  /** The same cloud in the project of the test instances; `client` by default. */
  readonly testClient?: OpenStackClient | undefined;
  readonly settings: OpenStackComputeSettings;
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

/** Nova and Placement as a compute system. Disposing of it ends shared listings; the clients stay with their owner. */
export function createOpenStackCompute(options: OpenStackComputeOptions): Compute & AsyncDisposable {
  const { client, testClient = client, settings } = options;
  const clock = options.clock ?? performance;
  const lifetime = new AbortController();
  const sharing: SharingOptions = { listingMs: settings.listingMs, clock, lifetime: lifetime.signal };
  const register = new HostRegister(client, sharing);
  const aggregates = new OpenStackAggregates({ client, register, sharing });
  return {
    hosts: new OpenStackHosts({ client, register }),
    instances: new OpenStackInstances({ client, register, aggregates, settings, sharing }),
    moves: new OpenStackMoves({ client, register, settings }),
    evacuations: new OpenStackEvacuations({ client, register }),
    aggregates,
    traits: new OpenStackTraits(client),
    smokeTests: new OpenStackSmokeTests({ client: testClient, register, settings: settings.smokeTest, sharing }),
    [Symbol.asyncDispose]: async () => {
      lifetime.abort();
    },
  };
}
