import { HEARTBEAT_TIMEOUT_MS } from '@smalt/vm-lifecycle';

export interface VmComputeSettings {
  /** After how long without a heartbeat of its handler a host counts as down. */
  readonly heartbeatTimeoutMs: number;
  /** Aggregates that hosts can join though no host is in them yet and no Hypervisor names them. */
  readonly aggregates: readonly string[];
  readonly smokeTest: SmokeTestSettings;
}

/** What test instances are made of. */
export interface SmokeTestSettings {
  /** Where they live; nobody else should use it. */
  readonly namespace: string;
  /** The image of their disk, whose guest has to show its host name on the serial console. */
  readonly image: string;
  /** The hypervisor that they run on; empty for the usual one. */
  readonly hypervisor: string;
  /** Their memory, such as `128Mi`. */
  readonly memory: string;
  /** How long one look at the console listens, in milliseconds. */
  readonly consoleMs: number;
}

export const defaultVmComputeSettings: VmComputeSettings = {
  heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS,
  aggregates: ['tenant_filter_tests'],
  smokeTest: {
    namespace: 'smalt-smoke-tests',
    image: 'demo',
    hypervisor: '',
    memory: '128Mi',
    consoleMs: 3_000,
  },
};
