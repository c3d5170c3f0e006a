import {
  reasonAsKept,
  type ComputeHost,
  type ComputeHosts,
  type Deregistration,
  type FoundHost,
  type HostIdentity,
} from '@smalt/compute';
import type { OpenStackClient, ServiceChange } from '@smalt/openstack';

import { deregisterHost } from './deregister-host.ts';
import type { HostRegister, RegisteredHost } from './host-register.ts';
import { asComputeErrors, unlessGone } from './to-compute-error.ts';

export interface OpenStackHostsOptions {
  readonly client: OpenStackClient;
  readonly register: HostRegister;
}

/** Hosts as Nova has them: a hypervisor, which is a provider of Placement too, and its compute service. */
export class OpenStackHosts implements ComputeHosts {
  readonly #client: OpenStackClient;
  readonly #register: HostRegister;

  constructor({ client, register }: OpenStackHostsOptions) {
    this.#client = client;
    this.#register = register;
  }

  async find(name: string, signal: AbortSignal): Promise<FoundHost | undefined> {
    const found = await this.#register.find(name, signal);
    return found && { ...computeHost(found), isExact: found.isExact };
  }

  async get(host: HostIdentity, signal: AbortSignal): Promise<ComputeHost | undefined> {
    const listed = await this.#register.get(host, signal);
    if (listed !== undefined) return computeHost(listed);
    // Nova leaves out of its listing what it cannot reach just now: only the answer for this one says that it is gone.
    const call = () => this.#client.compute.hypervisors.get(host.hypervisorId, { signal });
    const hypervisor = await unlessGone('read', call);
    if (hypervisor === undefined || hypervisor.serviceId !== host.serviceId) return undefined;
    const service = await this.#register.service(host, signal);
    return service && computeHost({ hypervisor, service });
  }

  async list(signal: AbortSignal): Promise<readonly ComputeHost[]> {
    const hosts = await this.#register.all(signal);
    return hosts.map(computeHost);
  }

  async forceDown(host: HostIdentity, signal: AbortSignal): Promise<void> {
    await this.#update(host, { isForcedDown: true }, signal);
  }

  async clearForcedDown(host: HostIdentity, signal: AbortSignal): Promise<void> {
    await this.#update(host, { isForcedDown: false }, signal);
  }

  async enable(host: HostIdentity, signal: AbortSignal): Promise<void> {
    await this.#update(host, { status: 'enabled', isForcedDown: false }, signal);
  }

  async disable(host: HostIdentity, reason: string, signal: AbortSignal): Promise<void> {
    // Nova refuses a reason that is empty, and fails on characters that its database does not take.
    const disabledReason = reasonAsKept(reason) || undefined;
    await this.#update(host, { status: 'disabled', disabledReason }, signal);
  }

  async deregister(host: HostIdentity, signal: AbortSignal): Promise<Deregistration> {
    return await deregisterHost({ client: this.#client, register: this.#register }, host, signal);
  }

  async #update({ serviceId }: HostIdentity, change: ServiceChange, signal: AbortSignal): Promise<void> {
    const call = () => this.#client.compute.services.update(serviceId, change, { signal });
    this.#register.noteService(await asComputeErrors('write', call));
  }
}

function computeHost({ hypervisor, service }: RegisteredHost): ComputeHost {
  return {
    hypervisorId: hypervisor.id,
    serviceId: service.id,
    name: hypervisor.hostname,
    isEnabled: service.status === 'enabled',
    disabledReason: service.disabledReason,
    isForcedDown: service.isForcedDown,
    isUp: service.state === 'up',
    zone: service.zone,
  };
}
