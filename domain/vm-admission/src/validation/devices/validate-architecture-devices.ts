import { notSupported, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

const VIDEO_MODELS: Readonly<Record<string, readonly string[]>> = {
  amd64: ['vga', 'cirrus', 'virtio', 'ramfb', 'bochs'],
  arm64: ['virtio', 'ramfb'],
  s390x: ['virtio'],
};

/** An instance asks only for what its architecture has. */
export function validateArchitectureDevices(scope: SpecScope): readonly Cause[] {
  const { architecture = '' } = scope.spec;
  switch (architecture) {
    case 'amd64':
    case 's390x':
      return [...validateWatchdog(scope), ...validateVideoModel(scope)];
    case 'arm64':
      return [...validateArm(scope), ...validateVideoModel(scope)];
    default:
      return [];
  }
}

function validateVideoModel({ path, spec }: SpecScope): readonly Cause[] {
  const { architecture = '' } = spec;
  const { video } = spec.domain.devices;
  const models = VIDEO_MODELS[architecture] ?? [];
  if (video === undefined || models.includes(video.type ?? '')) return [];
  const message = `video model '${video.type ?? ''}' is not supported on ${architecture} architecture`;
  return [notSupported(`${path}.domain.devices.video.type`, message, `Use one of ${models.join(', ')}.`)];
}

function validateWatchdog({ path, spec }: SpecScope): readonly Cause[] {
  const { watchdog } = spec.domain.devices;
  if (watchdog === undefined) return [];
  const isAmd = spec.architecture === 'amd64';
  const [own, other] = isAmd ? [watchdog.i6300esb, watchdog.diag288] : [watchdog.diag288, watchdog.i6300esb];
  if (own !== undefined && other === undefined) return [];
  const message = isAmd
    ? 'amd64 only supports I6300ESB watchdog device'
    : 's390x only supports Diag288 watchdog device';
  return [notSupported(`${path}.domain.devices.watchdog`, message)];
}

function validateArm({ path, spec }: SpecScope): readonly Cause[] {
  const { firmware, cpu, devices } = spec.domain;
  const domain = `${path}.domain`;
  const model = cpu?.model ?? '';
  const causes: Cause[] = [];
  if (firmware?.bootloader?.bios !== undefined) {
    const message = 'Arm64 does not support bios boot, please change to uefi boot';
    causes.push(notSupported(`${domain}.firmware.bootloader.bios`, message));
  }
  if (model !== '' && model !== 'host-passthrough') {
    const message = 'currently, host-passthrough is the only model supported on Arm64';
    causes.push(notSupported(`${domain}.cpu.model`, message));
  }
  causes.push(...validateArmDisks({ path, spec }));
  if (devices.watchdog !== undefined) {
    causes.push(notSupported(`${domain}.devices.watchdog`, 'Arm64 not support Watchdog device'));
  }
  if (devices.sound !== undefined) {
    causes.push(notSupported(`${domain}.devices.sound`, 'Arm64 not support sound device'));
  }
  return causes;
}

function validateArmDisks({ path, spec }: Pick<SpecScope, 'path' | 'spec'>): readonly Cause[] {
  return (spec.domain.devices.disks ?? []).flatMap((disk, index) =>
    (['disk', 'cdrom', 'lun'] as const)
      .filter((kind) => !['', 'virtio', 'scsi'].includes(disk[kind]?.bus ?? ''))
      .map((kind) =>
        notSupported(
          `${path}.domain.devices.disks[${index}].${kind}.bus`,
          'Arm64 not support this disk bus type, please use virtio or scsi',
        ),
      ),
  );
}
