export { buildDomain, printDomain } from './build-domain.ts';
export { aliasElement, deviceName, findDevice, type DeviceKind } from './device-alias.ts';
export { balloonStep } from './devices/balloon-step.ts';
export { channelsStep } from './devices/channels-step.ts';
export { controllersStep } from './devices/controllers-step.ts';
export { filesystemsStep } from './devices/filesystems-step.ts';
export { freePortsStep } from './devices/free-ports-step.ts';
export { graphicsStep } from './devices/graphics-step.ts';
export { hostDevicesStep } from './devices/host-devices-step.ts';
export { hostSocketStep } from './devices/host-socket-step.ts';
export { inputsStep } from './devices/inputs-step.ts';
export { panicStep } from './devices/panic-step.ts';
export { randomNumbersStep } from './devices/random-numbers-step.ts';
export { serialStep } from './devices/serial-step.ts';
export { soundStep } from './devices/sound-step.ts';
export { trustedPlatformModuleStep } from './devices/trusted-platform-module-step.ts';
export { usbRedirectionStep } from './devices/usb-redirection-step.ts';
export { watchdogStep } from './devices/watchdog-step.ts';
export { disksStep } from './disks/disks-step.ts';
export { findVolume, requireVolume } from './disks/find-volume.ts';
export { lettersOf } from './disks/target-names.ts';
export type {
  BootKernel,
  DomainContext,
  DomainHostDevice,
  DomainNode,
  DomainPaths,
  FirmwareImage,
  MachineLabel,
  NodeCell,
  NodeCpu,
} from './domain-context.ts';
export type { BridgeNetwork, DomainNetwork, PasstNetwork, PciNetwork, TapNetwork } from './domain-network.ts';
export type { DomainRecipe } from './domain-recipe.ts';
export {
  deviceStep,
  rootStep,
  type DeviceStep,
  type DomainInput,
  type DomainStep,
  type RootStep,
} from './domain-step.ts';
export type { DomainStyle } from './domain-style.ts';
export type { BackingImage, DomainVolume, VolumeBlockSize, VolumeSource } from './domain-volume.ts';
export { DomainXmlError, isDomainXmlError, isFaultOfInstance, type DomainXmlErrorCode } from './domain-xml-error.ts';
export { interfacesStep, openVSwitchPort } from './interfaces/interfaces-step.ts';
export { plannedInterfaces, type PlannedInterface } from './interfaces/planned-interfaces.ts';
export { pinningOf, type PinningInput } from './processors/pinning-of.ts';
export type {
  DomainOwner,
  DomainReport,
  ReportedDisk,
  ReportedInterface,
  ReportedMemory,
  ReportedProcessors,
} from './reading/domain-report.ts';
export { diskTargets, instanceStatus, type DomainStatus } from './reading/instance-status.ts';
export { readDomain } from './reading/read-domain.ts';
export { readPins, type DomainPins } from './reading/read-pins.ts';
export { clockStep } from './root/clock-step.ts';
export { featuresStep } from './root/features-step.ts';
export { firmwareKindOf, firmwareStep, requireFirmware } from './root/firmware-step.ts';
export { domainName, domainUuid, identityStep } from './root/identity-step.ts';
export { ioThreadsStep } from './root/io-threads-step.ts';
export { launchSecurityStep } from './root/launch-security-step.ts';
export { lifeCycleStep } from './root/life-cycle-step.ts';
export { memoryBackingStep } from './root/memory-backing-step.ts';
export { memoryStep } from './root/memory-step.ts';
export { numaTuningStep } from './root/numa-tuning-step.ts';
export { pinElsewhere } from './root/pin-elsewhere.ts';
export { processorModelStep } from './root/processor-model-step.ts';
export { processorTuningStep } from './root/processor-tuning-step.ts';
export { systemInformationStep } from './root/system-information-step.ts';
export { virtualProcessorsStep } from './root/virtual-processors-step.ts';
export { architectureOf, machineTypeOf, type Architecture } from './shape/architecture.ts';
export { bootOrderOf, type BootOrder } from './shape/boot-order.ts';
export { guestMemoryOf, type GuestMemory } from './shape/guest-memory.ts';
export { topologyOf, type ProcessorTopology } from './shape/processor-topology.ts';
