export interface OffboardingSettings {
  readonly concurrency: number;
  /** How soon to look again whether the compute system lets a host go. */
  readonly retryMs: number;
  /** How often to look although nothing changed. */
  readonly resyncMs: number;
}

export const defaultOffboardingSettings: OffboardingSettings = {
  concurrency: 16,
  retryMs: 10_000,
  resyncMs: 300_000,
};
