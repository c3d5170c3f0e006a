import type { Labels, Node, QuantitiesByName } from '@smalt/placement';

import { NodeLabelPrefix, OBSOLETE_HOST_MODEL_LABEL, SKIP_NODE_ANNOTATION } from './node-label-names.ts';

/** What a node can run, as its handler has found out. */
export interface NodeAbilities {
  readonly drivers: readonly DriverAbility[];
  readonly cpuModels: readonly string[];
  readonly cpuFeatures: readonly string[];
  readonly cpuVendor?: string;
  readonly machineTypes: readonly string[];
  readonly hostModel?: HostModel;
  /** Of the time stamp counter: its frequency in Hz, and whether guests can get another. */
  readonly timer?: { readonly frequency: bigint; readonly isScalable: boolean };
  /** Such as `realtime`, `sev`, `tdx`. */
  readonly traits: readonly string[];
}

export interface DriverAbility {
  readonly name: string;
  /** Without its group: `kvm`. */
  readonly device: string | undefined;
  readonly isUsable: boolean;
}

export interface HostModel {
  readonly name: string;
  readonly requiredFeatures: readonly string[];
  readonly isObsolete: boolean;
}

const OWN_PREFIXES: readonly string[] = Object.values(NodeLabelPrefix);
const OWN_TRAITS: readonly string[] = ['realtime', 'sev', 'sev-es', 'sev-snp', 's390-pv', 'tdx', 'ksm-enabled'];

/** The labels of a node that have to change: a value to set, or null to take one away. None on a node that is skipped. */
export function planNodeLabels(node: Node, abilities: NodeAbilities): Readonly<Record<string, string | null>> {
  if (node.metadata.annotations?.[SKIP_NODE_ANNOTATION] !== undefined) return {};
  const current = node.metadata.labels ?? {};
  const wanted = labelsOf(abilities);
  const stale = Object.keys(current).filter((key) => isOwn(key) && !Object.hasOwn(wanted, key));
  const changed = Object.entries(wanted).filter(([key, value]) => current[key] !== value);
  return { ...Object.fromEntries(stale.map((key) => [key, null])), ...Object.fromEntries(changed) };
}

function isOwn(key: string): boolean {
  return (
    key === OBSOLETE_HOST_MODEL_LABEL ||
    OWN_PREFIXES.some((prefix) => key.startsWith(prefix)) ||
    OWN_TRAITS.some((trait) => key === `kubevirt.io/${trait}`)
  );
}

function labelsOf(abilities: NodeAbilities): Labels {
  const { drivers, cpuModels, cpuFeatures, cpuVendor, machineTypes, hostModel, timer, traits } = abilities;
  const usable = drivers.filter(({ isUsable }) => isUsable).map(({ name }) => name);
  return {
    ...all(NodeLabelPrefix.hypervisor, usable),
    ...all(NodeLabelPrefix.cpuModel, cpuModels),
    // What a guest was started with on another node may be old here, but it still runs.
    ...all(NodeLabelPrefix.cpuModelMigration, [...cpuModels, ...(hostModel === undefined ? [] : [hostModel.name])]),
    ...all(NodeLabelPrefix.cpuFeature, cpuFeatures),
    ...all(NodeLabelPrefix.cpuVendor, cpuVendor === undefined ? [] : [cpuVendor]),
    ...all(NodeLabelPrefix.machineType, machineTypes),
    ...all(NodeLabelPrefix.hostModel, hostModel === undefined ? [] : [hostModel.name]),
    ...all(NodeLabelPrefix.hostModelFeature, hostModel?.requiredFeatures ?? []),
    ...(hostModel?.isObsolete === true ? { [OBSOLETE_HOST_MODEL_LABEL]: 'true' } : {}),
    ...(timer === undefined
      ? {}
      : {
          [`${NodeLabelPrefix.cpuTimer}tsc-frequency`]: String(timer.frequency),
          [`${NodeLabelPrefix.cpuTimer}tsc-scalable`]: String(timer.isScalable),
        }),
    ...all(
      'kubevirt.io/',
      traits.filter((trait) => OWN_TRAITS.includes(trait)),
    ),
  };
}

function all(prefix: string, names: readonly string[]): Labels {
  return Object.fromEntries(names.map((name) => [`${prefix}${name}`, 'true']));
}

/** How many guests a node takes by default: each takes one slot of the device. */
export const DEVICE_SLOTS = 1000;

/** The devices that a node offers to pods: those of the drivers that work, and those of networks. */
export function nodeDevices(
  { drivers }: Pick<NodeAbilities, 'drivers'>,
  slots: number = DEVICE_SLOTS,
): QuantitiesByName {
  const devices = drivers.flatMap(({ device, isUsable }) => (isUsable && device !== undefined ? [device] : []));
  const names = new Set([...devices, 'tun', 'vhost-net']);
  return Object.fromEntries([...names].map((name) => [`devices.kubevirt.io/${name}`, String(slots)]));
}
