import type { ReadinessSettings } from '@smalt/hypervisor-lifecycle';

export interface ReadySettings extends ReadinessSettings {
  readonly concurrency: number;
}

export const defaultReadySettings: ReadySettings = {
  concurrency: 8,
  followsLibvirt: true,
  followsNetwork: true,
  graceMs: 60_000,
};
