import {
  MigrationMethod,
  VirtualMachineInstanceConditionReason,
  VirtualMachineInstanceConditionType,
  type VirtualMachineInstance,
  type Volume,
} from '@smalt/vm-api';

import { pluggedClaims } from '../attachment/plugged-claims.ts';
import type { ConditionValue } from '../conditions/conditions.ts';

const Reason = VirtualMachineInstanceConditionReason.LiveMigratable;

export interface MigratabilityFacts {
  readonly vmi: VirtualMachineInstance;
  /** Whether the claim of a volume can be used from several nodes at once, by the name of the volume. */
  readonly sharedClaims: ReadonlyMap<string, boolean>;
  /** Why the driver cannot migrate, if it cannot. */
  readonly driverObjection?: string;
  /** Whether the node has a model of its processor that others can be compared with. */
  readonly hasHostModel: boolean;
}

export interface Migratability {
  readonly condition: ConditionValue;
  /** Whether disks have to be sent along; undefined when it cannot be migrated. */
  readonly method?: MigrationMethod;
}

/** Judges whether a running instance can be migrated, and how; the first reason against it is told. */
export function judgeLiveMigratable(facts: MigratabilityFacts): Migratability {
  const type = VirtualMachineInstanceConditionType.liveMigratable;
  for (const objection of OBJECTIONS) {
    const found = objection(facts);
    if (found !== undefined) return { condition: { type, status: 'False', reason: found[0], message: found[1] } };
  }
  const isBlock = (facts.vmi.spec.volumes ?? []).some(isSentAlong);
  return { condition: { type, status: 'True' }, method: isBlock ? MigrationMethod.block : MigrationMethod.live };
}

type Objection = (facts: MigratabilityFacts) => readonly [string, string] | undefined;

const OBJECTIONS: readonly Objection[] = [
  ({ driverObjection }) => (driverObjection === undefined ? undefined : [Reason.notMigratable, driverObjection]),
  pluggedObjection,
  diskObjection,
  interfaceObjection,
  ({ vmi, hasHostModel }) =>
    vmi.spec.domain.cpu?.model !== 'host-model' || hasHostModel
      ? undefined
      : [Reason.cpuMode, 'VMI uses host-model, but the node has no CPU model to compare with; name a model instead'],
  ({ vmi }) =>
    (vmi.spec.domain.devices.filesystems ?? []).length === 0
      ? undefined
      : [Reason.virtiofs, 'VMI uses virtiofs, whose files stay on the node'],
  deviceObjection,
  // Processors of its own it gets at the target too, but a guest cannot be told that its cells have changed.
  ({ vmi }) =>
    vmi.spec.domain.cpu?.numa?.guestMappingPassthrough === undefined
      ? undefined
      : [Reason.notMigratable, 'VMI has the NUMA cells of its node, and would take them along'],
  securityObjection,
  ({ vmi }) =>
    vmi.spec.domain.features?.hypervPassthrough?.enabled === true
      ? [Reason.hypervPassthrough, 'VMI uses hyperv passthrough, which binds it to its node']
      : undefined,
  ({ vmi }) =>
    (vmi.spec.domain.devices.disks ?? []).some(({ lun }) => lun?.reservation === true)
      ? [Reason.persistentReservation, 'VMI uses SCSI persistent reservation']
      : undefined,
];

/** The pod that holds a claim on this node cannot follow the guest. */
function pluggedObjection({ vmi }: MigratabilityFacts): readonly [string, string] | undefined {
  const [plugged] = pluggedClaims(vmi);
  if (plugged === undefined) return undefined;
  const message = `cannot migrate VMI while the volume ${plugged.volumeName} is plugged in; take it out first`;
  return [Reason.hotplug, message];
}

function diskObjection({ vmi, sharedClaims }: MigratabilityFacts): readonly [string, string] | undefined {
  const moving = new Set((vmi.status?.migratedVolumes ?? []).map(({ volumeName }) => volumeName));
  for (const volume of vmi.spec.volumes ?? []) {
    const isClaim = volume.persistentVolumeClaim !== undefined || volume.dataVolume !== undefined;
    if (isClaim && sharedClaims.get(volume.name) !== true && !moving.has(volume.name)) {
      const message = `cannot migrate VMI: PVC of volume ${volume.name} is not shared, live migration requires that all PVCs must be shared (using ReadWriteMany access mode)`;
      return [Reason.disks, message];
    }
    if (volume.hostDisk !== undefined && volume.hostDisk.shared !== true) {
      return [
        Reason.disks,
        `cannot migrate VMI: hostDisk ${volume.name} is not shared; set shared where all nodes see it`,
      ];
    }
  }
  return undefined;
}

const ALLOW_BRIDGE = 'kubevirt.io/allow-pod-bridge-network-live-migration';

function interfaceObjection({ vmi }: MigratabilityFacts): readonly [string, string] | undefined {
  const onPodNetwork = new Set(
    (vmi.spec.networks ?? []).filter(({ pod }) => pod !== undefined).map(({ name }) => name),
  );
  const bridged = (vmi.spec.domain.devices.interfaces ?? []).find(
    ({ name, bridge }) => bridge !== undefined && onPodNetwork.has(name),
  );
  if (bridged === undefined || vmi.metadata.annotations?.[ALLOW_BRIDGE] !== undefined) return undefined;
  const message = `cannot migrate VMI which does not use masquerade, bridge with ${ALLOW_BRIDGE} VM annotation or a migratable plugin to connect to the pod network`;
  return [Reason.interface, message];
}

function deviceObjection({ vmi }: MigratabilityFacts): readonly [string, string] | undefined {
  const { gpus = [], hostDevices = [], interfaces = [] } = vmi.spec.domain.devices;
  const [device] = [...gpus, ...hostDevices];
  if (device !== undefined)
    return [Reason.hostDevice, `VMI uses the host device ${device.name}, which stays on the node`];
  const direct = interfaces.find(({ sriov }) => sriov !== undefined);
  return direct === undefined ? undefined : [Reason.hostDevice, `VMI uses the SR-IOV interface ${direct.name}`];
}

function securityObjection({ vmi }: MigratabilityFacts): readonly [string, string] | undefined {
  const { sev, snp, tdx } = vmi.spec.domain.launchSecurity ?? {};
  if (sev !== undefined || snp !== undefined) return [Reason.sev, 'VMI uses SEV, whose memory cannot be sent'];
  return tdx === undefined ? undefined : [Reason.tdx, 'VMI uses TDX, whose memory cannot be sent'];
}

/** What is written on the node itself goes with the guest. */
function isSentAlong(volume: Volume): boolean {
  const { containerDisk, emptyDisk, ephemeral, cloudInitNoCloud, cloudInitConfigDrive, configMap, secret } = volume;
  const { serviceAccount, sysprep, downwardAPI } = volume;
  const local = [containerDisk, emptyDisk, ephemeral, cloudInitNoCloud, cloudInitConfigDrive, configMap, secret];
  return [...local, serviceAccount, sysprep, downwardAPI].some((source) => source !== undefined);
}
