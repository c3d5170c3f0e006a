/** The gates that admission asks about, and how mature each is: `alpha` is off and `beta` on unless the cluster says otherwise. */
const GATES = {
  AlignCPUs: 'alpha',
  ContainerPathVolumes: 'alpha',
  DecentralizedLiveMigration: 'beta',
  DeclarativeHotplugVolumes: 'beta',
  DownwardMetrics: 'alpha',
  EnableVirtioFsStorageVolumes: 'alpha',
  ExperimentalIgnitionSupport: 'alpha',
  GPUsWithDRA: 'beta',
  HostDevices: 'alpha',
  HostDevicesWithDRA: 'beta',
  HostDisk: 'alpha',
  HotplugVolumes: 'alpha',
  MigrationDowntimeTuning: 'alpha',
  MigrationStallDetection: 'alpha',
  NUMA: 'stable',
  NetworkDevicesWithDRA: 'alpha',
  NodeRestriction: 'beta',
  PasstBinding: 'beta',
  PersistentReservation: 'stable',
  PortRangesSpec: 'alpha',
  RebootPolicy: 'beta',
  ReservedOverheadMemlock: 'alpha',
  Root: 'alpha',
  Sidecar: 'alpha',
  UtilityVolumes: 'alpha',
  VSOCK: 'alpha',
  WorkloadEncryptionSEV: 'beta',
  WorkloadEncryptionTDX: 'alpha',
} as const;

export type FeatureGate = keyof typeof GATES;

/** What an administrator has switched. */
export interface FeatureGateSwitches {
  readonly featureGates: readonly string[];
  readonly disabledFeatureGates: readonly string[];
}

/** Whether a gate is open. A stable feature cannot be switched off; switching on beats switching off. */
export function isGateOpen(switches: FeatureGateSwitches, gate: FeatureGate): boolean {
  const maturity = GATES[gate];
  if (maturity === 'stable' || switches.featureGates.includes(gate)) return true;
  return maturity === 'beta' && !switches.disabledFeatureGates.includes(gate);
}

/** What to tell somebody who uses a feature whose gate is closed. */
export function gateAdvice(gate: FeatureGate): string {
  return `Ask an administrator to add ${gate} to the feature gates, or leave the field out.`;
}
