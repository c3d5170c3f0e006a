import {
  ComputeError,
  isComputeError,
  type ComputeEvacuation,
  type ComputeEvacuations,
  type HostIdentity,
  type RebuildRules,
} from '@smalt/compute';
import type { OpenStackClient } from '@smalt/openstack';

import type { HostRegister } from './host-register.ts';
import { evacuationsSince } from './read-evacuation.ts';
import { asComputeErrors } from './to-compute-error.ts';

export interface OpenStackEvacuationsOptions {
  readonly client: OpenStackClient;
  readonly register: HostRegister;
}

const STILL_IN_USE = /still in use/i;

/** Evacuations as Nova's migration records tell of them. */
export class OpenStackEvacuations implements ComputeEvacuations {
  readonly rules: RebuildRules = { isAutomatic: false, states: new Set(['running', 'stopped', 'failed', 'busy']) };
  readonly #client: OpenStackClient;
  readonly #register: HostRegister;

  constructor({ client, register }: OpenStackEvacuationsOptions) {
    this.#client = client;
    this.#register = register;
  }

  async list(host: HostIdentity, since: Date, signal: AbortSignal): Promise<readonly ComputeEvacuation[]> {
    const sourceHost = await this.#register.serviceHost(host, signal);
    const { migrations, services } = this.#client.compute;
    const records = await asComputeErrors('read', async () => {
      // Changes since a time would hide an old one that is still open, and the words for open ones may grow in number.
      const listed = await migrations.list({ sourceHost, type: 'evacuation' }, { signal }).all();
      // Nova leaves out the records of a cell that it cannot reach, without a word; of its service it says so.
      await services.findCompute(sourceHost, { signal });
      return listed;
    });
    return evacuationsSince(
      records.filter((each) => each.sourceHost === sourceHost),
      since,
    );
  }

  async start(instanceId: string, options: { readonly targetName?: string }, signal: AbortSignal): Promise<void> {
    const { actions } = this.#client.compute;
    const { targetName } = options;
    const host = targetName === undefined ? undefined : await this.#serviceHostOf(targetName, signal);
    try {
      await asComputeErrors('write', () => actions.evacuate(instanceId, { host, signal }));
    } catch (error) {
      if (!isComputeError(error, 'refused') || !STILL_IN_USE.test(error.message)) throw error;
      // Nova calls it a bad request that the host is up; but that passes.
      throw new ComputeError('conflict', error.message, { cause: error });
    }
  }

  /** Nova goes by the names of services, and hosts of the port have those of their hypervisors. */
  async #serviceHostOf(name: string, signal: AbortSignal): Promise<string> {
    const found = await this.#register.find(name, signal);
    if (found?.isExact === true) return found.service.host;
    throw new ComputeError('not-found', `compute: GET /os-hypervisors: there is no hypervisor ${name} to evacuate to`);
  }
}
