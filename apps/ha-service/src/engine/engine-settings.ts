import type { DetectionSettings } from '@smalt/failure-detection';
import type { InstanceRecoverySettings } from '@smalt/instance-recovery';
import type { RecoveryPolicy } from '@smalt/recovery-policy';

/** What the leader goes by. It is asked for anew at every look, because the configuration may change while it runs. */
export interface EngineSettings {
  readonly detection: DetectionSettings;
  readonly policy: RecoveryPolicy;
  readonly instanceRecovery: InstanceRecoverySettings;
  /** How often hosts are judged and incidents looked at. */
  readonly lookIntervalMs: number;
  /** How often the compute system is asked for all hosts. */
  readonly refreshIntervalMs: number;
  /** How often the compute system is asked how the evacuations of an incident stand. */
  readonly followIntervalMs: number;
  /** For how long the compute system calls a host up after its last word; what it says is that old at worst. */
  readonly serviceDownMs: number;
  /** How long one call to the outside may take. */
  readonly callTimeoutMs: number;
}
