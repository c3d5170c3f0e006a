import type { JsonObject } from '@smalt/json';

import type { TlsTarget } from '../aggregation/tls-target.ts';
import { badRequestError, internalServerError, notFoundError } from '../errors/make-status-error.ts';
import type { CertificateAuthority, KeyAndCertificate } from '../identity/certificate-authority.ts';
import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import { MASTERS_GROUP } from '../identity/user.ts';
import { metadataText } from '../registry/object-metadata.ts';
import type { Store } from '../store/store.ts';

const DEFAULT_PORT = 10_250;
const CERTIFICATE_DAYS = 365;
const RENEW_AFTER_MS = 180 * 24 * 3_600_000;
const ADDRESS_TYPES = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const PODS = { group: '', plural: 'pods' };

export interface KubeletDependencies {
  readonly store: Store;
  readonly authority: CertificateAuthority;
  readonly now: () => Date;
}

/** Finds the agents of nodes, and shows them who we are. Their certificates must be signed by our authority. */
export class KubeletAccess {
  readonly #deps: KubeletDependencies;
  #own: { readonly pair: KeyAndCertificate; readonly issuedAt: number } | undefined;

  constructor(deps: KubeletDependencies) {
    this.#deps = deps;
  }

  /** A pod by its name. Throws 404 when there is none. */
  pod(namespace: string, name: string): JsonObject {
    const pod = this.#deps.store.get('pods', `${namespace}/${name}`)?.value;
    if (pod === undefined) throw notFoundError(PODS, name);
    return pod;
  }

  /** The node that runs a pod. Throws 400 when it was given to none. */
  nodeOf(pod: JsonObject): string {
    const node = textAt(objectAt(pod, 'spec'), 'nodeName');
    if (node === '') throw badRequestError(`pod ${metadataText(pod, 'name')} does not have a host assigned`);
    return node;
  }

  /** Where the agent of a node listens. */
  target(node: string, isInsecure: boolean): TlsTarget {
    const object = this.#deps.store.get('nodes', `/${node}`)?.value;
    // Kubernetes calls the node a pod here, and clients show that.
    if (object === undefined) throw notFoundError(PODS, node);
    const status = objectAt(object, 'status');
    const host = addressOf(status);
    if (host === undefined) throw internalServerError(`no preferred addresses found; known addresses: []`);
    const { Port: port } = objectAt(objectAt(status, 'daemonEndpoints'), 'kubeletEndpoint');
    const { certificate, key } = this.#pair();
    return {
      host,
      port: typeof port === 'number' && port > 0 ? port : DEFAULT_PORT,
      serverName: host,
      ca: this.#deps.authority.certificate,
      isInsecure,
      cert: certificate,
      key,
    };
  }

  #pair(): KeyAndCertificate {
    const now = this.#deps.now();
    if (this.#own !== undefined && now.getTime() - this.#own.issuedAt < RENEW_AFTER_MS) return this.#own.pair;
    const subject = { commonName: 'kube-apiserver-kubelet-client', organizations: [MASTERS_GROUP] };
    const pair = this.#deps.authority.issueClient(subject, { now, days: CERTIFICATE_DAYS });
    this.#own = { pair, issuedAt: now.getTime() };
    return pair;
  }
}

function addressOf(status: JsonObject): string | undefined {
  const addresses = objectsAt(status, 'addresses');
  for (const type of ADDRESS_TYPES) {
    const found = addresses.find((address) => address['type'] === type);
    if (found !== undefined) return textAt(found, 'address');
  }
  return undefined;
}
