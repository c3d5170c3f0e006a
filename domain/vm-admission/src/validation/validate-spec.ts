import type { Cause } from '../cause.ts';
import { validateCpuResources } from './cpu/validate-cpu-resources.ts';
import { validateCpuFeatures, validateMaxSockets } from './cpu/validate-cpu-topology.ts';
import { validateDedicatedCpus } from './cpu/validate-dedicated-cpus.ts';
import { validateEmulatorThread, validateNuma, validateRealtime } from './cpu/validate-placement.ts';
import { validateResourceClaims } from './devices/validate-claims.ts';
import {
  validateFilesystems,
  validateGatedDevices,
  validateInputs,
  validateIoThreads,
  validatePanicDevices,
  validateSound,
  validateVideo,
} from './devices/validate-devices.ts';
import {
  validateHostDeviceGate,
  validateHostDevices,
  validateRamFrameBuffers,
} from './devices/validate-host-devices.ts';
import { validateBootOrder } from './disks/validate-boot-order.ts';
import { validateDisks } from './disks/validate-disks.ts';
import { validateDiskVolumes } from './disks/validate-disk-volumes.ts';
import {
  validateAcpiTables,
  validateBootloader,
  validateKernelBoot,
  validateSecureBoot,
} from './firmware/validate-firmware.ts';
import { validateLaunchSecurity } from './firmware/validate-launch-security.ts';
import { validateMachine } from './firmware/validate-machine.ts';
import { validateAccessCredentials } from './general/validate-access-credentials.ts';
import { validateAffinity } from './general/validate-affinity.ts';
import { validateDnsConfig, validateDnsPolicy } from './general/validate-dns.ts';
import { validateHostname, validateServiceAccountName, validateSubdomain } from './general/validate-names.ts';
import { validateProbes } from './general/validate-probes.ts';
import { validateEvictionStrategy, validateStartStrategy } from './general/validate-strategies.ts';
import { validateTopologySpread } from './general/validate-topology-spread.ts';
import { validateHugepages } from './memory/validate-hugepages.ts';
import {
  validateGuestMemory,
  validateMemoryLimit,
  validateMemoryRequest,
  validateReservedOverhead,
} from './memory/validate-memory.ts';
import { validateQuantities } from './memory/validate-quantities.ts';
import { validateBindings } from './networks/validate-bindings.ts';
import { validateClaimedNetworks } from './networks/validate-claimed-networks.ts';
import { validateInterfaces } from './networks/validate-interfaces.ts';
import { validateInterfaceStates } from './networks/validate-interface-state.ts';
import { validateDefaultNetwork, validateNetworkSources, validatePairing } from './networks/validate-networks.ts';
import type { SpecRule, SpecScope } from './spec-rule.ts';
import { validateContainerDiskPaths, validateNoUtilityVolumes, validateVolumes } from './volumes/validate-volumes.ts';

/** In the order in which clients see the causes. */
const RULES: readonly SpecRule[] = [
  validateQuantities,
  validateHostname,
  validateSubdomain,
  validateMemoryRequest,
  validateMemoryLimit,
  validateHugepages,
  validateGuestMemory,
  validateMachine,
  validateAcpiTables,
  validateCpuResources,
  validateDedicatedCpus,
  validateNuma,
  validateEmulatorThread,
  validateCpuFeatures,
  validateMaxSockets,
  validateStartStrategy,
  validateRealtime,
  validateAffinity,
  validateTopologySpread,
  validateDefaultNetwork,
  validateNetworkSources,
  validateInterfaceStates,
  validateBindings,
  validateClaimedNetworks,
  validatePairing,
  validateInterfaces,
  validateResourceClaims,
  validateHostDevices,
  validateDiskVolumes,
  validateBootOrder,
  validateInputs,
  validateIoThreads,
  validateProbes,
  validateDisks,
  validateBootloader,
  validateKernelBoot,
  validateSecureBoot,
  validateVolumes,
  validateContainerDiskPaths,
  validateNoUtilityVolumes,
  validateAccessCredentials,
  validateDnsPolicy,
  validateDnsConfig,
  validateEvictionStrategy,
  validateRamFrameBuffers,
  validateHostDeviceGate,
  validateSound,
  validateLaunchSecurity,
  validateGatedDevices,
  validateFilesystems,
  validateVideo,
  validatePanicDevices,
  validateReservedOverhead,
  validateServiceAccountName,
];

/** Every rule that holds for instances and for templates of instances alike. */
export function validateSpec(scope: SpecScope): readonly Cause[] {
  return RULES.flatMap((rule) => rule(scope));
}
