import { WellKnownName, type VirtualMachineInstance } from '@smalt/vm-api';
import type { Pod, PodContainer, PodSpec } from '@smalt/placement';

import { containerSecurity, podSecurity } from '../launcher-pod/launcher-security.ts';
import type { ImagePullPolicy, LauncherSettings } from '../launcher-pod/launcher-settings.ts';
import type { VolumeMount } from '../launcher-pod/launcher-volumes.ts';
import type { PluggedClaim } from './plugged-claims.ts';

/** The value of the label of pods that hold a claim on a node for a guest that runs there. */
export const ATTACHMENT_APP = 'hotplug-disk';
/** The volume of the instance that such a pod is for. */
const ATTACHED_VOLUME_LABEL = 'smalt.dev/attached-volume';

/** Where the volume is in the container; nobody looks at it there. */
const PLACE = '/var/run/kubevirt/attached';
const ROOM = { requests: { cpu: '5m', memory: '16Mi' }, limits: { memory: '80Mi' } };

/** Whether a pod holds a claim for an instance, instead of carrying it. */
export function isAttachmentPod({ metadata }: Pick<Pod, 'metadata'>): boolean {
  return metadata.labels?.[WellKnownName.appLabel] === ATTACHMENT_APP;
}

/** The volume of the instance that an attachment pod is for. */
export function attachedVolumeOf({ metadata }: Pick<Pod, 'metadata'>): string | undefined {
  return metadata.labels?.[ATTACHED_VOLUME_LABEL];
}

/** A pod that holds a claim, as it is posted. */
export interface AttachmentPod extends Pod {
  readonly spec: AttachmentPodSpec;
}

interface AttachmentPodSpec extends PodSpec {
  readonly containers: readonly AttachmentContainer[];
  readonly restartPolicy: 'Never';
  readonly terminationGracePeriodSeconds: number;
  readonly enableServiceLinks: boolean;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly imagePullSecrets?: readonly { readonly name: string }[];
}

interface AttachmentContainer extends PodContainer {
  readonly image: string;
  readonly imagePullPolicy?: ImagePullPolicy;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly terminationMessagePolicy: string;
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly { readonly name: string; readonly devicePath: string }[];
}

export interface Attachment extends PluggedClaim {
  readonly isBlock: boolean;
}

/**
 * Makes the pod that brings a claim to the node of an instance that runs: the volumes of a pod cannot change, so another one
 * holds it. It goes nowhere else, whatever that node is tainted with, and stays until the guest has let go.
 */
export function buildAttachmentPod(
  vmi: VirtualMachineInstance,
  attachment: Attachment,
  settings: LauncherSettings,
): AttachmentPod {
  const { volumeName, claimName } = attachment;
  const nodeName = vmi.status?.nodeName ?? '';
  const pullSecrets = settings.imagePullSecrets ?? [];
  const own = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: attachmentMetadata(vmi, volumeName),
    spec: {
      restartPolicy: 'Never',
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: own } } },
      tolerations: [{ operator: 'Exists' }],
      terminationGracePeriodSeconds: 5,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(pullSecrets.length === 0 ? {} : { imagePullSecrets: pullSecrets.map((name) => ({ name })) }),
      securityContext: podSecurity(settings),
      containers: [attachmentContainer(vmi, attachment, settings)],
      volumes: [{ name: volumeName, persistentVolumeClaim: { claimName } }],
    },
  };
}

/** The name of the pod for a volume of an instance: always the same, so that none is made twice. */
export function attachmentName({ metadata }: VirtualMachineInstance, volumeName: string): string {
  return `hp-volume-${(metadata.uid ?? '').replaceAll('-', '').slice(0, 8)}-${volumeName}`;
}

function attachmentMetadata(vmi: VirtualMachineInstance, volumeName: string): AttachmentPod['metadata'] {
  const { name, namespace, uid = '' } = vmi.metadata;
  return {
    name: attachmentName(vmi, volumeName),
    ...(namespace === undefined ? {} : { namespace }),
    labels: {
      [WellKnownName.appLabel]: ATTACHMENT_APP,
      [WellKnownName.createdByLabel]: uid,
      [ATTACHED_VOLUME_LABEL]: volumeName,
    },
    annotations: { [WellKnownName.domainAnnotation]: name },
    ownerReferences: [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        name,
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
}

function attachmentContainer(
  { metadata }: VirtualMachineInstance,
  { volumeName, isBlock }: Attachment,
  settings: LauncherSettings,
): AttachmentContainer {
  const place = isBlock
    ? { volumeDevices: [{ name: volumeName, devicePath: `/dev/${volumeName}` }] }
    : { volumeMounts: [{ name: volumeName, mountPath: PLACE }] };
  return {
    name: 'hotplug-disk',
    image: settings.image,
    ...(settings.imagePullPolicy === undefined ? {} : { imagePullPolicy: settings.imagePullPolicy }),
    // A launcher that no guest comes to waits until it is told to end, which is all that is needed here.
    command: ['smalt', 'virt-launcher'],
    args: [
      `--name=${metadata.name}`,
      `--namespace=${metadata.namespace ?? ''}`,
      `--uid=${metadata.uid ?? ''}`,
      `--hypervisor=${settings.driver.name}`,
      '--grace-period-seconds=0',
    ],
    resources: ROOM,
    securityContext: containerSecurity(settings),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    ...place,
  };
}
