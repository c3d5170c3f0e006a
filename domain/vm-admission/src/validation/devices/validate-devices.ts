import { invalid, type Cause } from '../../cause.ts';
import { gateAdvice, isGateOpen, type FeatureGate } from '../../feature-gates.ts';
import type { SpecScope } from '../spec-rule.ts';

const THREAD_POLICIES: readonly string[] = ['shared', 'auto', 'supplementalPool'];
const PANIC_MODELS: readonly string[] = ['hyperv', 'isa', 'pvpanic'];
const SOUND_MODELS: readonly string[] = ['', 'ich9', 'ac97'];

/** Threads for disks are shared out in a known way; a pool has a size. */
export function validateIoThreads({ path, spec }: SpecScope): readonly Cause[] {
  const { ioThreadsPolicy: policy, ioThreads } = spec.domain;
  if (policy === undefined) return [];
  if (!THREAD_POLICIES.includes(policy)) {
    const advice = `Use one of ${THREAD_POLICIES.join(', ')}.`;
    return [invalid(`${path}.domain.ioThreadsPolicy`, `Invalid IOThreadsPolicy (${policy})`, advice)];
  }
  if (policy !== 'supplementalPool' || (ioThreads?.supplementalPoolThreadCount ?? 0) >= 1) return [];
  const message = 'the number of iothreads needs to be set and positive for the dedicated policy';
  return [
    invalid(
      `${path}.domain.ioThreads.count`,
      message,
      `Set ${path}.domain.ioThreads.supplementalPoolThreadCount to 1 or more.`,
    ),
  ];
}

/** Input devices are tablets on a bus that has them. */
export function validateInputs({ path, spec }: SpecScope): readonly Cause[] {
  return (spec.domain.devices.inputs ?? []).flatMap(({ bus = '', type }, index) => {
    const field = `${path}.domain.devices.inputs[${index}]`;
    const isBusGood = ['', 'virtio', 'usb'].includes(bus);
    return [
      ...(isBusGood ? [] : [invalid(`${field}.bus`, 'Input device can have only virtio or usb bus.')]),
      ...(type === 'tablet' ? [] : [invalid(`${field}.type`, 'Input device can have only tablet type.')]),
    ];
  });
}

/** A sound card has a name and a known model. The path is the one that clients know. */
export function validateSound({ path, spec }: SpecScope): readonly Cause[] {
  const { sound } = spec.domain.devices;
  if (sound === undefined) return [];
  const field = `${path}.Sound`;
  const advice = `See ${path}.domain.devices.sound.`;
  const model = "Sound device type is not supported. Options: 'ich9' or 'ac97'";
  return [
    ...(SOUND_MODELS.includes(sound.model ?? '') ? [] : [invalid(field, model, advice)]),
    ...(sound.name === '' ? [invalid(field, 'Sound device requires a name field.', advice)] : []),
  ];
}

/** A video card needs graphics. The path is the one that clients know. */
export function validateVideo({ path, spec }: SpecScope): readonly Cause[] {
  const { video, autoattachGraphicsDevice } = spec.domain.devices;
  if (video === undefined || autoattachGraphicsDevice !== false) return [];
  const message = 'Video configuration is not allowed when autoattachGraphicsDevice is set to false';
  return [invalid(`${path}.video`, message, `Remove one of the two from ${path}.domain.devices.`)];
}

/** Devices that tell of a panic have a known model, and there are none on s390x. */
export function validatePanicDevices({ path, spec, settings }: SpecScope): readonly Cause[] {
  const { panicDevices = [] } = spec.domain.devices;
  const field = `${path}.domain.devices.panicDevices`;
  const architecture = spec.architecture ?? settings.defaultArchitecture;
  const isRefused = panicDevices.length > 0 && architecture === 's390x';
  const advice = `Use one of ${PANIC_MODELS.join(', ')}.`;
  return [
    ...(isRefused ? [invalid(field, `custom panic devices are not supported on ${architecture} architecture`)] : []),
    ...panicDevices.flatMap(({ model }, index) =>
      model === undefined || PANIC_MODELS.includes(model)
        ? []
        : [invalid(`${field}[${index}].model`, `invalid PanicDeviceModel(${model})`, advice)],
    ),
  ];
}

interface GatedDevice {
  readonly gate: FeatureGate;
  readonly field: string;
  readonly message: string;
  readonly isUsed: (spec: SpecScope['spec']) => boolean;
}

const GATED: readonly GatedDevice[] = [
  {
    gate: 'VSOCK',
    field: 'domain.devices.autoattachVSOCK',
    message: 'VSOCK feature gate is not enabled in kubevirt-config',
    isUsed: ({ domain }) => domain.devices.autoattachVSOCK === true,
  },
  {
    gate: 'PersistentReservation',
    field: 'domain.devices.disks.luns.reservation',
    message: 'persistent reservation is not enabled in kubevirt config',
    isUsed: ({ domain }) => (domain.devices.disks ?? []).some(({ lun }) => lun?.reservation === true),
  },
  {
    gate: 'DownwardMetrics',
    field: 'domain.devices.downwardMetrics',
    message: 'downwardMetrics virtio serial is not allowed: DownwardMetrics feature gate is not enabled',
    isUsed: ({ domain }) => domain.devices.downwardMetrics !== undefined,
  },
  {
    gate: 'RebootPolicy',
    field: 'domain.rebootPolicy',
    message: 'RebootPolicy is specified but the RebootPolicy feature gate is not enabled',
    isUsed: ({ domain }) => domain.rebootPolicy !== undefined,
  },
];

/** What is behind a gate is used only where the gate is open. */
export function validateGatedDevices({ path, spec, settings }: SpecScope): readonly Cause[] {
  return GATED.filter(({ gate, isUsed }) => isUsed(spec) && !isGateOpen(settings, gate)).map(
    ({ gate, field, message }) => invalid(`${path}.${field}`, message, gateAdvice(gate)),
  );
}

/** File systems on claims are behind a gate. */
export function validateFilesystems({ path, spec, settings }: SpecScope): readonly Cause[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const onClaims = (spec.domain.devices.filesystems ?? []).filter(({ name }) => {
    const volume = volumes.get(name);
    return volume?.persistentVolumeClaim !== undefined || volume?.dataVolume !== undefined;
  });
  if (isGateOpen(settings, 'EnableVirtioFsStorageVolumes')) return [];
  const message = 'virtiofs is not allowed: virtiofs feature gate is not enabled for PVC';
  return onClaims.map(() =>
    invalid(`${path}.domain.devices.filesystems`, message, gateAdvice('EnableVirtioFsStorageVolumes')),
  );
}
