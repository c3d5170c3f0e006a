import { hypervisorKind, HypervisorConditionType, type Hypervisor } from '@smalt/fleet-api';
import type { Condition, KindReference, KubernetesObject } from '@smalt/kubernetes';

/** A Hypervisor as far as high availability goes by it; ten thousand of them are kept. */
export interface WatchedHypervisor extends KubernetesObject {
  readonly spec?: Partial<
    Pick<NonNullable<Hypervisor['spec']>, 'maintenance' | 'highAvailability' | 'lifecycleEnabled'>
  >;
  readonly status?: Partial<Pick<NonNullable<Hypervisor['status']>, 'hypervisorId' | 'serviceId' | 'internalIp'>> & {
    readonly conditions?: readonly Condition[];
  };
}

const { group, version, kind, plural, isNamespaced } = hypervisorKind;
export const watchedHypervisorKind: KindReference<WatchedHypervisor> = { group, version, kind, plural, isNamespaced };

const KEPT_CONDITIONS: ReadonlySet<string> = new Set([
  HypervisorConditionType.haEnabled,
  HypervisorConditionType.hypervisorDisabled,
  HypervisorConditionType.onboarding,
  HypervisorConditionType.evicting,
  HypervisorConditionType.offboarded,
]);

/** What is kept of a Hypervisor. */
export function slimHypervisor({
  apiVersion,
  kind: kindName,
  metadata,
  spec,
  status,
}: WatchedHypervisor): WatchedHypervisor {
  const { annotations } = metadata;
  return {
    apiVersion,
    kind: kindName,
    metadata: {
      name: metadata.name,
      ...pick(metadata, ['uid', 'generation', 'resourceVersion', 'labels', 'deletionTimestamp']),
      ...(annotations !== undefined && { annotations: withoutConfiguration(annotations) }),
    },
    spec: pick(spec ?? {}, ['maintenance', 'highAvailability', 'lifecycleEnabled']),
    status: {
      ...pick(status ?? {}, ['hypervisorId', 'serviceId', 'internalIp']),
      conditions: status?.conditions?.filter(({ type }) => KEPT_CONDITIONS.has(type)) ?? [],
    },
  };
}

/** kubectl keeps a whole copy of the object in an annotation. */
function withoutConfiguration(annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...kept } = annotations;
  return kept;
}

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked;
}
