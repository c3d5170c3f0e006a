import { WellKnownName } from '@smalt/fleet-api';

export interface AggregatesSettings {
  readonly concurrency: number;
  /** How often the memberships are looked at although nothing changed. */
  readonly resyncMs: number;
  /** The aggregate that keeps tenants off a host while it is tested. */
  readonly testAggregate: string;
  /** Whether a host stays in aggregates that neither the operator nor the spec has ever put it in. */
  readonly keepForeign: boolean;
}

export const defaultAggregatesSettings: AggregatesSettings = {
  concurrency: 16,
  resyncMs: 300_000,
  testAggregate: WellKnownName.testAggregate,
  keepForeign: false,
};
