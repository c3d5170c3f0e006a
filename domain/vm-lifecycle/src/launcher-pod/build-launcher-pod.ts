import type { Pod, PodContainer, PodSpec } from '@smalt/placement';
import type { PodDNSConfig, VirtualMachineInstance } from '@smalt/vm-api';

import { UNPAUSED_GATE } from '../instance/launcher-pod-state.ts';
import { hostnameOf, launcherMetadata } from './launcher-metadata.ts';
import { launcherResources } from './launcher-resources.ts';
import { containerSecurity, podSecurity } from './launcher-security.ts';
import type { ImagePullPolicy, LauncherSettings } from './launcher-settings.ts';
import { launcherTolerations } from './launcher-tolerations.ts';
import { launcherVolumes, type PodVolume, type VolumeMount } from './launcher-volumes.ts';
import { affinityOf, nodeSelectorOf } from './node-requirements.ts';

/** The pod that carries an instance, as it is posted. */
export interface LauncherPod extends Pod {
  readonly spec: LauncherPodSpec;
}

export interface LauncherPodSpec extends PodSpec {
  readonly containers: readonly LauncherContainer[];
  readonly restartPolicy: 'Never';
  readonly hostname: string;
  readonly subdomain?: string;
  readonly terminationGracePeriodSeconds: number;
  readonly readinessGates: readonly { readonly conditionType: string }[];
  readonly enableServiceLinks: boolean;
  readonly automountServiceAccountToken: boolean;
  readonly serviceAccountName?: string;
  readonly priorityClassName?: string;
  readonly schedulerName?: string;
  readonly dnsPolicy?: string;
  readonly dnsConfig?: PodDNSConfig;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly imagePullSecrets?: readonly { readonly name: string }[];
  readonly volumes: readonly PodVolume[];
  readonly resourceClaims?: VirtualMachineInstance['spec']['resourceClaims'];
}

export interface LauncherContainer extends PodContainer {
  readonly image: string;
  readonly imagePullPolicy?: ImagePullPolicy;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly terminationMessagePolicy: string;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number; readonly protocol: string }[];
  readonly volumeMounts: readonly VolumeMount[];
  readonly volumeDevices?: readonly { readonly name: string; readonly devicePath: string }[];
}

const DEFAULT_GRACE_SECONDS = 30;
/** For the launcher to notice that its guest has ended, and for the node to notice that the launcher has. */
const EXTRA_GRACE_SECONDS = 15;

/** Makes the pod of an instance; what others look for in it is as they know it (README). Throws a LifecycleError. */
export function buildLauncherPod(vmi: VirtualMachineInstance, settings: LauncherSettings): LauncherPod {
  const { spec } = vmi;
  const affinity = affinityOf(vmi, settings);
  const { volumes, mounts, devices } = launcherVolumes(vmi, settings);
  const serviceAccount = spec.volumes?.find((volume) => volume.serviceAccount !== undefined)?.serviceAccount;
  const pullSecrets = new Set([
    ...(settings.imagePullSecrets ?? []),
    ...(spec.volumes ?? []).flatMap(({ containerDisk }) => containerDisk?.imagePullSecret ?? []),
    ...[spec.domain.firmware?.kernelBoot?.container?.imagePullSecret ?? []].flat(),
  ]);
  const accountName = spec.serviceAccountName ?? serviceAccount?.serviceAccountName;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: launcherMetadata(vmi, settings),
    spec: {
      ...passedOn(vmi),
      tolerations: launcherTolerations(spec),
      restartPolicy: 'Never',
      hostname: hostnameOf(vmi),
      terminationGracePeriodSeconds: graceSeconds(vmi) + 2 * EXTRA_GRACE_SECONDS,
      readinessGates: [{ conditionType: UNPAUSED_GATE }],
      enableServiceLinks: false,
      automountServiceAccountToken: serviceAccount !== undefined,
      ...(accountName === undefined ? {} : { serviceAccountName: accountName }),
      ...(pullSecrets.size === 0 ? {} : { imagePullSecrets: [...pullSecrets].map((name) => ({ name })) }),
      nodeSelector: nodeSelectorOf(vmi, settings),
      ...(affinity === undefined ? {} : { affinity }),
      securityContext: podSecurity(settings),
      containers: [
        {
          ...computeContainer(vmi, settings),
          volumeMounts: mounts,
          ...(devices.length === 0 ? {} : { volumeDevices: devices }),
        },
      ],
      volumes,
    },
  };
}

type PassedOn =
  | 'topologySpreadConstraints'
  | 'priorityClassName'
  | 'schedulerName'
  | 'subdomain'
  | 'dnsPolicy'
  | 'dnsConfig'
  | 'resourceClaims';

/** What the instance says in the words of a pod. */
function passedOn({ spec }: VirtualMachineInstance): Pick<LauncherPodSpec, PassedOn> {
  const { topologySpreadConstraints, priorityClassName, schedulerName } = spec;
  const { subdomain, dnsPolicy, dnsConfig, resourceClaims } = spec;
  return {
    ...(topologySpreadConstraints === undefined ? {} : { topologySpreadConstraints }),
    ...(priorityClassName === undefined ? {} : { priorityClassName }),
    ...(schedulerName === undefined ? {} : { schedulerName }),
    ...(subdomain === undefined ? {} : { subdomain }),
    ...(dnsPolicy === undefined ? {} : { dnsPolicy }),
    ...(dnsConfig === undefined ? {} : { dnsConfig }),
    ...(resourceClaims === undefined ? {} : { resourceClaims }),
  };
}

/** How long the guest has to shut down. */
export function graceSeconds({ spec }: VirtualMachineInstance): number {
  return spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
}

function computeContainer(
  vmi: VirtualMachineInstance,
  settings: LauncherSettings,
): Omit<LauncherContainer, 'volumeMounts'> {
  const { metadata, spec } = vmi;
  const ports = (spec.domain.devices.interfaces ?? []).flatMap((each) => each.ports ?? []);
  const container = {
    name: 'compute',
    image: settings.image,
    ...(settings.imagePullPolicy === undefined ? {} : { imagePullPolicy: settings.imagePullPolicy }),
    command: ['smalt', 'virt-launcher'],
    // One argument each: a name that begins with a dash stays a value.
    args: [
      `--name=${metadata.name}`,
      `--namespace=${metadata.namespace ?? ''}`,
      `--uid=${metadata.uid ?? ''}`,
      `--hypervisor=${settings.driver.name}`,
      `--grace-period-seconds=${graceSeconds(vmi) + EXTRA_GRACE_SECONDS}`,
    ],
    resources: launcherResources(spec, settings),
    securityContext: containerSecurity(settings),
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
  if (ports.length === 0) return container;
  return {
    ...container,
    ports: ports.map(({ name, port, protocol }) => ({
      ...(name === undefined ? {} : { name }),
      containerPort: port,
      protocol: protocol ?? 'TCP',
    })),
  };
}
