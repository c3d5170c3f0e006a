export interface TraitsSettings {
  readonly concurrency: number;
  /** How often the traits are looked at although nothing changed. */
  readonly resyncMs: number;
  /** How many times a write is tried at once when others are quicker each time. */
  readonly conflictAttempts: number;
  /** Whether custom traits stay that the spec never asked for. */
  readonly keepForeign: boolean;
}

export const defaultTraitsSettings: TraitsSettings = {
  concurrency: 16,
  resyncMs: 300_000,
  conflictAttempts: 5,
  keepForeign: true,
};
