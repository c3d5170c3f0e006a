import type {
  DevicePreferences,
  Devices,
  Interface,
  Network,
  PanicDevice,
  VirtualMachineInstanceSpec,
  VirtualMachinePreferenceSpec,
} from '@smalt/vm-api';

import { fillIn } from './fill-in.ts';
import { preferDisk } from './prefer-disks.ts';

const BINDINGS = ['bridge', 'masquerade', 'sriov', 'passtBinding', 'slirp', 'macvtap', 'passt', 'binding'] as const;

/** The spec with what a preference says about devices that come by themselves. It decides what others are there. */
export function preferAutoAttached(
  spec: VirtualMachineInstanceSpec,
  { devices }: VirtualMachinePreferenceSpec,
): VirtualMachineInstanceSpec {
  if (devices === undefined) return spec;
  return withDevices(
    spec,
    fillIn(spec.domain.devices, {
      autoattachGraphicsDevice: devices.preferredAutoattachGraphicsDevice,
      autoattachInputDevice: devices.preferredAutoattachInputDevice,
      autoattachMemBalloon: devices.preferredAutoattachMemBalloon,
      autoattachPodInterface: devices.preferredAutoattachPodInterface,
      autoattachSerialConsole: devices.preferredAutoattachSerialConsole,
    }),
  );
}

/** The spec with the devices that a preference wants, and with its devices as the preference wants them. */
export function preferDevices(
  spec: VirtualMachineInstanceSpec,
  { devices: wanted }: VirtualMachinePreferenceSpec,
): VirtualMachineInstanceSpec {
  if (wanted === undefined) return spec;
  const { devices } = spec.domain;
  const single = fillIn(devices, {
    useVirtioTransitional: wanted.preferredUseVirtioTransitional,
    blockMultiQueue: wanted.preferredBlockMultiQueue,
    networkInterfaceMultiqueue: wanted.preferredNetworkInterfaceMultiQueue,
    disableHotplug: wanted.preferredDisableHotplug,
    rng: wanted.preferredRng,
    tpm: wanted.preferredTPM,
  });
  return withDevices(spec, { ...single, ...listsOf(spec, wanted), ...videoAndSound(devices, wanted) });
}

function listsOf(spec: VirtualMachineInstanceSpec, wanted: DevicePreferences): Partial<Devices> {
  const { disks, interfaces, inputs, panicDevices } = spec.domain.devices;
  const input = { bus: wanted.preferredInputBus, type: wanted.preferredInputType };
  const panics = preferPanicDevices(panicDevices, wanted.preferredPanicDeviceModel);
  return {
    ...(disks === undefined ? {} : { disks: disks.map((disk) => preferDisk(disk, wanted)) }),
    ...(interfaces === undefined
      ? {}
      : { interfaces: interfaces.map((card) => preferInterface(card, spec.networks ?? [], wanted)) }),
    ...(inputs === undefined ? {} : { inputs: inputs.map((each) => fillIn(each, input)) }),
    ...(panics === undefined ? {} : { panicDevices: panics }),
  };
}

function videoAndSound({ video, sound }: Devices, wanted: DevicePreferences): Partial<Devices> {
  const { preferredVideoType: type, preferredSoundModel: model } = wanted;
  return {
    ...(type === undefined ? {} : { video: fillIn(video ?? {}, { type }) }),
    // A sound card is not made, only made as it is preferred.
    ...(model === undefined || sound === undefined ? {} : { sound: fillIn(sound, { model }) }),
  };
}

function preferInterface(card: Interface, networks: readonly Network[], wanted: DevicePreferences): Interface {
  const modelled = fillIn(card, { model: wanted.preferredInterfaceModel });
  const masquerade = wanted.preferredInterfaceMasquerade;
  const isBound = BINDINGS.some((binding) => card[binding] !== undefined);
  const isOnPodNetwork = networks.find(({ name }) => name === card.name)?.pod !== undefined;
  return masquerade === undefined || isBound || !isOnPodNetwork ? modelled : { ...modelled, masquerade };
}

function preferPanicDevices(
  given: readonly PanicDevice[] | undefined,
  model: string | undefined,
): readonly PanicDevice[] | undefined {
  if (model === undefined) return undefined;
  const devices = given === undefined || given.length === 0 ? [{}] : given;
  return devices.map((device) => fillIn(device, { model }));
}

function withDevices(spec: VirtualMachineInstanceSpec, devices: Devices): VirtualMachineInstanceSpec {
  return { ...spec, domain: { ...spec.domain, devices } };
}
