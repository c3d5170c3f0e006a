import type { ObjectMeta } from '@smalt/kubernetes';
import { canonicalMac, WellKnownName, type VirtualMachineInstance } from '@smalt/vm-api';

import type { LauncherSettings } from './launcher-settings.ts';

/** Annotations that are about the instance's own object. */
const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'kubevirt.io/latest-observed-api-version',
  'kubevirt.io/storage-observed-api-version',
]);

const MAX_LABEL = 63;

/** The labels and annotations that others find launcher pods by. */
export function launcherMetadata(vmi: VirtualMachineInstance, { driver }: LauncherSettings): ObjectMeta {
  const { metadata } = vmi;
  const uid = metadata.uid ?? '';
  const copied = Object.entries(metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key));
  return {
    name: launcherName(metadata.name, uid),
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    labels: {
      ...metadata.labels,
      [WellKnownName.appLabel]: 'virt-launcher',
      [WellKnownName.createdByLabel]: uid,
      'vm.kubevirt.io/name': hostnameOf(vmi),
      'vmi.kubevirt.io/id': labelOf(metadata.name),
    },
    annotations: {
      ...Object.fromEntries(copied),
      [WellKnownName.domainAnnotation]: metadata.name,
      'kubectl.kubernetes.io/default-container': 'compute',
      'kubevirt.io/migrationTransportUnix': 'true',
      'descheduler.alpha.kubernetes.io/request-evict-only': '',
      'kubevirt.io/memory-overhead-bytes': String(driver.overheadBytes),
      ...networkAnnotations(vmi),
    },
    ownerReferences: [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        name: metadata.name,
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
}

const MAX_NAME = 253;

/**
 * The name of a launcher pod: that of its instance, and the beginning of the uid of what it was made for. It is always the
 * same, so that a pod that is made twice by mistake is refused by the API.
 */
export function launcherName(instanceName: string, uid: string): string {
  const suffix = uid.replaceAll('-', '').slice(0, 8);
  const prefix = `virt-launcher-${instanceName}`.slice(0, MAX_NAME - suffix.length - 1).replace(/[-.]+$/, '');
  return `${prefix}-${suffix}`;
}

/** The name of the guest: a DNS label, whatever the instance is called. */
export function hostnameOf({ metadata, spec }: VirtualMachineInstance): string {
  const name = spec.hostname ?? metadata.name.split('.')[0] ?? metadata.name;
  return name.slice(0, MAX_LABEL).replace(/-+$/, '');
}

/** A name as the value of a label; one that is too long ends in a number made of all of it. */
export function labelOf(name: string): string {
  if (name.length <= MAX_LABEL) return name;
  // FNV-1a: two long names must not become one, and no secret depends on it.
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  const suffix = hash.toString(16).padStart(8, '0');
  return `${name.slice(0, MAX_LABEL - suffix.length - 1).replace(/[-.]+$/, '')}-${suffix}`;
}

function networkAnnotations({ metadata, spec }: VirtualMachineInstance): Readonly<Record<string, string>> {
  const interfaces = new Map((spec.domain.devices.interfaces ?? []).map((each) => [each.name, each]));
  const further = (spec.networks ?? []).flatMap(({ name, multus }) =>
    multus === undefined || interfaces.get(name)?.state === 'absent' ? [] : [{ name, multus }],
  );
  const first = further.find(({ multus }) => multus.default === true)?.multus.networkName;
  const list = further
    .filter(({ multus }) => multus.default !== true)
    .map(({ name, multus }, index) => {
      const [namespace, network] = splitName(multus.networkName, metadata.namespace ?? '');
      const mac = canonicalMac(interfaces.get(name)?.macAddress ?? '');
      return { name: network, namespace, ...(mac === undefined ? {} : { mac }), interface: `net${index + 1}` };
    });
  return {
    ...(list.length === 0 ? {} : { 'k8s.v1.cni.cncf.io/networks': JSON.stringify(list) }),
    ...(first === undefined ? {} : { 'v1.multus-cni.io/default-network': first }),
  };
}

function splitName(name: string, namespace: string): readonly [string, string] {
  const slash = name.indexOf('/');
  return slash === -1 ? [namespace, name] : [name.slice(0, slash), name.slice(slash + 1)];
}
