import { isSameHostName, shortHostName, type ComputeHost, type HostIdentity } from '@smalt/compute';
import { isConditionTrue, type Informer } from '@smalt/controller-runtime';
import { HypervisorConditionType, hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import { isNotFound, type KubeClient } from '@smalt/kube';

import { hostNameOf } from './host-name-of.ts';

const INDEX = 'hostClaims';

/** What says which host it is. */
export type ClaimedHost = Pick<ComputeHost, 'name' | 'hypervisorId' | 'serviceId'>;

/** Says whose a host is. Names can stand for each other, so a host found by name may be that of another Hypervisor. */
export class HostClaims {
  readonly #hypervisors: Informer<Hypervisor>;
  readonly #client: KubeClient;

  constructor(hypervisors: Informer<Hypervisor>, client: KubeClient) {
    this.#hypervisors = hypervisors;
    this.#client = client;
    if (!hypervisors.cache.hasIndex(INDEX)) hypervisors.addIndex(INDEX, claimsOf);
  }

  /**
   * The name of another Hypervisor whose host this is: it has one of its ids, or it is named more exactly like it, or
   * just as exactly and is older. One that is being deleted or has been offboarded has no host any more.
   */
  async rivalOf(host: ClaimedHost, self: Hypervisor, signal: AbortSignal): Promise<string | undefined> {
    const { cache } = this.#hypervisors;
    const claims = [idClaim(host.hypervisorId), idClaim(host.serviceId), nameClaim(host.name)];
    const rival = claims.flatMap((claim) => cache.byIndex(INDEX, claim)).find((each) => isRival(each, self, host));
    if (rival !== undefined) return rival.metadata.name;
    if (isExact(self, host)) return undefined;
    // Where several operators share the hypervisors, the cache does not have all of them.
    const namesake = await this.#get(host.name, signal);
    return namesake !== undefined && isRival(namesake, self, host) ? namesake.metadata.name : undefined;
  }

  /**
   * The name of another Hypervisor that has one of these ids as well. Whoever goes by ids alone would do to the host of that one
   * what is wished of this one.
   */
  twinOf(ids: HostIdentity, self: Hypervisor): string | undefined {
    const claims = [idClaim(ids.hypervisorId), idClaim(ids.serviceId)];
    const others = claims.flatMap((claim) => this.#hypervisors.cache.byIndex(INDEX, claim));
    return others.find((other) => isContender(other, self) && hasId(other, ids))?.metadata.name;
  }

  async #get(name: string, signal: AbortSignal): Promise<Hypervisor | undefined> {
    try {
      return await this.#client.resource(hypervisorKind).get(name, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

function claimsOf(hypervisor: Hypervisor): readonly string[] {
  const { hypervisorId = '', serviceId = '' } = hypervisor.status ?? {};
  const ids = [hypervisorId, serviceId].filter((id) => id !== '').map(idClaim);
  return [...new Set([...ids, ...namesOf(hypervisor).map(nameClaim)])];
}

function idClaim(id: string): string {
  return `id ${id}`;
}

function nameClaim(name: string): string {
  return `name ${shortHostName(name)}`;
}

function namesOf(hypervisor: Hypervisor): readonly string[] {
  return [hypervisor.metadata.name, hostNameOf(hypervisor)];
}

/** Says why nothing is done to a host whose ids a second Hypervisor has. */
export function twinMessage(twin: string): string {
  return `the ids in the status are those of Hypervisor ${twin} as well: nothing is done to the host before one of the two is mended`;
}

function isRival(other: Hypervisor, self: Hypervisor, host: ClaimedHost): boolean {
  if (!isContender(other, self)) return false;
  if (hasId(other, host)) return true;
  if (!isNamed(other, host)) return false;
  if (isExact(other, host) !== isExact(self, host)) return isExact(other, host);
  return !hasId(self, host) && isBefore(other, self);
}

/** Whether it is another one that has a host. */
function isContender({ metadata, status }: Hypervisor, self: Hypervisor): boolean {
  if (metadata.name === self.metadata.name || metadata.deletionTimestamp !== undefined) return false;
  return !isConditionTrue(status?.conditions, HypervisorConditionType.offboarded);
}

function hasId({ status }: Hypervisor, { hypervisorId, serviceId }: HostIdentity): boolean {
  return status?.hypervisorId === hypervisorId || status?.serviceId === serviceId;
}

function isExact(hypervisor: Hypervisor, { name }: ClaimedHost): boolean {
  return namesOf(hypervisor).includes(name);
}

/** Whether one of its names is that of the host, or one of the two is the other up to its first dot. */
function isNamed(hypervisor: Hypervisor, { name }: ClaimedHost): boolean {
  return namesOf(hypervisor).some((each) => isSameHostName(each, name));
}

function isBefore(one: Hypervisor, other: Hypervisor): boolean {
  const { creationTimestamp: since = '' } = one.metadata;
  const { creationTimestamp: otherSince = '' } = other.metadata;
  return since === otherSince ? one.metadata.name < other.metadata.name : since < otherSince;
}
