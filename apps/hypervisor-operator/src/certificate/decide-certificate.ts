import type { Hypervisor } from '@smalt/fleet-api';

import type { WantedDependent } from '../dependents/apply-dependent.ts';
import type { ClusterNode } from '../nodes/cluster-node.ts';
import { isHypervisorNode } from '../hypervisor/node-wishes.ts';
import { nodeOwnerReference } from '../nodes/node-owner-reference.ts';
import type { CertificateSettings } from './certificate-settings.ts';

const DNS_TYPES = ['Hostname', 'InternalDNS', 'ExternalDNS'];
const IP_TYPES = ['InternalIP', 'ExternalIP'];
/** The upper bound of a common name in X.509; what is longer no issuer signs. */
const LONGEST_COMMON_NAME = 64;
const LONGEST_OBJECT_NAME = 253;

/** Whether a node gets a certificate: because it runs virtual machines, or because its hypervisor asks for one. */
export function needsCertificate(node: ClusterNode, hypervisor: Hypervisor | undefined): boolean {
  return isHypervisorNode(node) || hypervisor?.spec?.createCertManagerCertificate === true;
}

/** The certificate by which a host proves to others who it is, when instances move and when people connect. */
export function decideCertificate(node: ClusterNode, settings: CertificateSettings): WantedDependent {
  const { name } = node.metadata;
  return {
    name: `libvirt-${name}`,
    namespace: settings.namespace,
    fields: {
      metadata: { ownerReferences: [nodeOwnerReference(node)] },
      spec: {
        secretName: secretNameOf(node),
        // Names are looked for among the DNS names anyway.
        ...(name.length <= LONGEST_COMMON_NAME && { commonName: name }),
        dnsNames: addressesOf(node, DNS_TYPES, [name]),
        // Also where there are none: what is only left out would not be missed in what was asked for before.
        ipAddresses: addressesOf(node, IP_TYPES),
        ...requested(settings),
      },
    },
  };
}

/** Why a node cannot have a certificate, if so. */
export function certificateTrouble(node: ClusterNode): string | undefined {
  const { length } = secretNameOf(node);
  if (length <= LONGEST_OBJECT_NAME) return undefined;
  const allowed = node.metadata.name.length - (length - LONGEST_OBJECT_NAME);
  return `The node gets no certificate for libvirt: its name would make that of the Secret too long. Node names may have ${allowed} characters`;
}

function secretNameOf({ metadata }: ClusterNode): string {
  return `tls-libvirt-${metadata.name}`;
}

function requested(settings: CertificateSettings): Readonly<Record<string, unknown>> {
  const { keyAlgorithm: algorithm, keySize: size, isCertSign } = settings;
  return {
    subject: { organizations: [settings.organization] },
    privateKey: {
      algorithm,
      encoding: algorithm === 'RSA' ? 'PKCS1' : 'PKCS8',
      ...(algorithm !== 'Ed25519' && { size }),
    },
    duration: durationText(settings.durationMs),
    renewBefore: durationText(settings.renewBeforeMs),
    isCA: false,
    usages: [
      'server auth',
      'client auth',
      ...(isCertSign ? ['cert sign'] : []),
      'digital signature',
      'key encipherment',
    ],
    issuerRef: { name: settings.issuerName, kind: settings.issuerKind, group: settings.issuerGroup },
  };
}

function addressesOf(
  { status }: ClusterNode,
  types: readonly string[],
  more: readonly string[] = [],
): readonly string[] {
  const found = (status?.addresses ?? []).filter(({ type, address }) => types.includes(type) && address !== '');
  return [...new Set([...more, ...found.map(({ address }) => address)])].toSorted();
}

/** A duration as Go writes it, so that it compares equal to what other tools have written. */
function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 3600)}h${Math.floor(seconds / 60) % 60}m${seconds % 60}s`;
}
