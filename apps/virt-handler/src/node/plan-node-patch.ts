import { WellKnownName } from '@smalt/vm-api';
import { nodeDevices, NodeLabelPrefix, planNodeLabels, type NodeAbilities } from '@smalt/vm-lifecycle';

import type { DeviceKeeper } from './devices/kubelet-devices.ts';
import type { HandledNode } from './handled-node.ts';

export interface NodePatchFacts {
  readonly node: HandledNode;
  /** Undefined before libvirt was heard: labels and devices then stay as they are. */
  readonly abilities: NodeAbilities | undefined;
  /** False while a hypervisor has not told yet what its guests can have: what the node says of guests then stays. */
  readonly areAbilitiesComplete: boolean;
  /** The devices of networks that can be opened. */
  readonly networkDevices: readonly string[];
  /** Who offers the devices to pods; the handler writes them to the Node only where no kubelet does. */
  readonly keeper: DeviceKeeper;
  /** How many devices there are of each resource that guests may have. */
  readonly hostDevices: Readonly<Record<string, number>>;
  /** Whether pods can have processors to themselves; undefined where that cannot be seen: what others say of it stays. */
  readonly hasCpuManager: boolean | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface NodePatch {
  /** With the heartbeat in it, so there is always something to write. */
  readonly metadata: MetadataPatch;
  /** Undefined when the devices are offered already as they should be. */
  readonly status: StatusPatch | undefined;
}

type Changes = Readonly<Record<string, string | null>>;

export interface MetadataPatch {
  readonly metadata: { readonly labels: Changes; readonly annotations: Changes };
}

interface StatusPatch {
  readonly status: { readonly capacity: Changes; readonly allocatable: Changes };
}

const DEVICE_GROUP = 'devices.kubevirt.io/';

/** What is to be written to a node: that its handler lives, and whatever else has changed about it. */
export function planNodePatch(facts: NodePatchFacts): NodePatch {
  const { node, abilities, annotations, now, keeper } = facts;
  const current = node.metadata.annotations ?? {};
  const changed = Object.entries(annotations).filter(([key, value]) => current[key] !== value);
  // A pod that came before the kubelet knows of its devices would be refused there.
  const isOpen = keeper !== 'absent-kubelet' && abilities?.drivers.some(({ isUsable }) => isUsable) === true;
  return {
    metadata: {
      metadata: {
        labels: {
          ...planAbilityLabels(facts),
          ...labelled(node, {
            [WellKnownName.schedulableNodeLabel]: isOpen,
            // The first is that of older tools.
            cpumanager: facts.hasCpuManager,
            'kubevirt.io/cpumanager': facts.hasCpuManager,
          }),
        },
        annotations: { ...Object.fromEntries(changed), [WellKnownName.heartbeatAnnotation]: heartbeat(now) },
      },
    },
    status: abilities === undefined || keeper !== 'handler' ? undefined : planDevices(facts, abilities),
  };
}

function planAbilityLabels({ node, abilities, areAbilitiesComplete }: NodePatchFacts): Changes {
  if (abilities === undefined) return {};
  const changes = Object.entries(planNodeLabels(node, abilities));
  const isToKeep = ([name, value]: readonly [string, string | null]): boolean =>
    value === null && !areAbilitiesComplete && !name.startsWith(NodeLabelPrefix.hypervisor);
  return Object.fromEntries(changes.filter((change) => !isToKeep(change)));
}

/** What is written when the handler ends: nothing new is to come here. */
export function closingPatch(): MetadataPatch {
  return { metadata: { labels: { [WellKnownName.schedulableNodeLabel]: 'false' }, annotations: {} } };
}

function labelled({ metadata }: HandledNode, wanted: Readonly<Record<string, boolean | undefined>>): Changes {
  const known = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const changed = known.filter(([key, value]) => metadata.labels?.[key] !== String(value));
  return Object.fromEntries(changed.map(([key, value]) => [key, String(value)]));
}

function planDevices(facts: NodePatchFacts, abilities: NodeAbilities): StatusPatch | undefined {
  const { node, networkDevices, hostDevices } = facts;
  const offered = Object.entries(nodeDevices(abilities)).filter(([name]) => isThere(name, abilities, networkDevices));
  const own = Object.entries(hostDevices);
  const wanted = Object.fromEntries([...offered, ...own].map(([name, slots]) => [name, String(slots)]));
  const capacity = changesTo(node.status?.capacity, wanted);
  const allocatable = changesTo(node.status?.allocatable, wanted);
  if (Object.keys(capacity).length + Object.keys(allocatable).length === 0) return undefined;
  return { status: { capacity, allocatable } };
}

function isThere(name: string, { drivers }: NodeAbilities, networkDevices: readonly string[]): boolean {
  const device = name.slice(DEVICE_GROUP.length);
  return networkDevices.includes(device) || drivers.some((driver) => driver.isUsable && driver.device === device);
}

/** Our devices that are to change; those of others, and what no driver of ours knows, stay. */
function changesTo(
  current: Readonly<Record<string, number | string>> = {},
  wanted: Readonly<Record<string, string>>,
): Changes {
  const known = ['kvm', 'mshv', 'tun', 'vhost-net'].map((device) => `${DEVICE_GROUP}${device}`);
  const stale = known.filter((name) => Object.hasOwn(current, name) && !Object.hasOwn(wanted, name));
  const changed = Object.entries(wanted).filter(([name, slots]) => !isSameAmount(current[name], slots));
  return { ...Object.fromEntries(stale.map((name) => [name, null])), ...Object.fromEntries(changed) };
}

/** The server may write a thousand as `1k`. */
function isSameAmount(current: number | string | undefined, wanted: string): boolean {
  return current !== undefined && String(current).replace(/k$/u, '000') === wanted;
}

function heartbeat(now: number): string {
  return new Date(now).toISOString().replace(/\.\d{3}Z$/u, 'Z');
}
