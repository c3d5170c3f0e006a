import {
  EvictionStrategy,
  VirtualMachineInstanceConditionType,
  WellKnownName,
  type VirtualMachineInstance,
} from '@smalt/vm-api';

import { AnnotationName } from '../annotation-names.ts';
import type { ClusterSettings } from '../cluster-settings.ts';
import type { PatchOperation } from '../subresources/decision.ts';
import { hasCondition } from '../subresources/instance-facts.ts';

/** What eviction has to know of a pod. */
export interface EvictedPod {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly nodeName: string;
  readonly phase: string;
}

/** A request to evict a pod, with what it is about. */
export interface PodEviction {
  readonly pod: EvictedPod;
  /** The pod that owns a pod with plugged volumes. */
  readonly owner?: EvictedPod;
  /** The instance that `evictedInstanceName` names, where there is one. */
  readonly instance?: VirtualMachineInstance;
  /** The annotations of the eviction itself. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Whether a pod may go. A denial says so with 429, so that whoever drains the node asks again. */
export type EvictionDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly code: 429; readonly message: string }
  /** Deny, and have the instance moved away by marking it with this patch. */
  | {
      readonly kind: 'evacuate';
      readonly code: 429;
      readonly message: string;
      readonly operations: readonly PatchOperation[];
    };

const ALLOW: EvictionDecision = { kind: 'allow' };
const DESCHEDULER = 'sigs.k8s.io/descheduler';

/** The name of the instance that has to be looked up to decide about a pod; undefined when it may go in any case. */
export function evictedInstanceName({ pod, owner }: PodEviction): string | undefined {
  // One that holds a claim belongs to a launcher, or names its instance itself.
  const launcher = isHotplugPod(pod) ? (owner ?? pod) : pod;
  if (!(isLauncher(launcher) || isHotplugPod(launcher)) || isCompleted(launcher)) return undefined;
  const name = launcher.annotations[WellKnownName.domainAnnotation];
  return name === '' ? undefined : name;
}

/** Whether a pod may be evicted. A guest that can move is moved first; the pod goes when the guest is gone. */
export function decidePodEviction(eviction: PodEviction, settings: ClusterSettings): EvictionDecision {
  const { pod, instance } = eviction;
  const name = evictedInstanceName(eviction);
  if (name === undefined) return ALLOW;
  if (isHotplugPod(pod)) {
    if (instance === undefined) return ALLOW;
    const place = `associated with running vmi: ${name} in namespace ${pod.namespace}`;
    return deny(`cannot evict hotplug pod: ${pod.name} ${place}`);
  }
  if (instance === undefined) {
    return deny(`kubevirt failed getting the vmi: virtualmachineinstances.kubevirt.io "${name}" not found`);
  }
  return decideForInstance(instance, eviction, settings);
}

function decideForInstance(
  instance: VirtualMachineInstance,
  { pod, annotations = {} }: PodEviction,
  settings: ClusterSettings,
): EvictionDecision {
  const { metadata, spec, status } = instance;
  const strategy = spec.evictionStrategy ?? settings.evictionStrategy;
  const canMove = hasCondition(instance, VirtualMachineInstanceConditionType.liveMigratable);
  if (strategy === EvictionStrategy.liveMigrate && !canMove) {
    return deny(`VMI ${metadata.name} is configured with an eviction strategy but is not live-migratable`);
  }
  const mustMove =
    strategy === EvictionStrategy.liveMigrate ||
    strategy === EvictionStrategy.external ||
    (strategy === EvictionStrategy.liveMigrateIfPossible && canMove);
  if (!mustMove) return ALLOW;
  // Deschedulers look for these words.
  const message = `Eviction triggered evacuation of VMI "${metadata.namespace ?? ''}/${metadata.name}"`;
  if ((status?.evacuationNodeName ?? '') !== '') return deny(`Evacuation in progress: ${message}`);
  if ((status?.nodeName ?? '') !== pod.nodeName) return deny('Eviction request for target Pod');
  const isDescheduled = annotations[AnnotationName.evictionRequestedBy] === DESCHEDULER;
  return { kind: 'evacuate', code: 429, message, operations: evacuationPatch(instance, pod.nodeName, isDescheduled) };
}

function evacuationPatch(
  { metadata }: VirtualMachineInstance,
  nodeName: string,
  isDescheduled: boolean,
): readonly PatchOperation[] {
  const mark = { op: 'add', path: '/status/evacuationNodeName', value: nodeName } as const;
  if (!isDescheduled) return [mark];
  const name = AnnotationName.evictionSource;
  const source = 'descheduler';
  if (metadata.annotations === undefined) {
    return [mark, { op: 'add', path: '/metadata/annotations', value: { [name]: source } }];
  }
  return [mark, { op: 'add', path: `/metadata/annotations/${name.replaceAll('/', '~1')}`, value: source }];
}

function deny(message: string): EvictionDecision {
  return { kind: 'deny', code: 429, message };
}

function isLauncher({ labels }: EvictedPod): boolean {
  return labels[WellKnownName.appLabel] === 'virt-launcher';
}

function isHotplugPod({ labels }: EvictedPod): boolean {
  return labels[WellKnownName.appLabel] === 'hotplug-disk';
}

function isCompleted({ phase }: EvictedPod): boolean {
  return phase === 'Failed' || phase === 'Succeeded';
}
