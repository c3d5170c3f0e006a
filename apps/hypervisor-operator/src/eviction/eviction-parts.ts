import type { EvictionsByHost } from '../hosts/evictions-by-host.ts';
import type { ComputeHost, MoveTarget } from '@smalt/compute';
import type { MoveAnswer } from '@smalt/eviction-plan';
import type { Eviction, Hypervisor } from '@smalt/fleet-api';

import type { HostClaims } from '../hosts/host-claims.ts';
import type { OperatorContext } from '../operator-context.ts';
import type { OwnedStatus } from '../frame/owned-status.ts';
import type { EvictionMetrics } from './eviction-metrics.ts';
import type { EvictionSettings } from './eviction-settings.ts';
import type { MoveLedger } from './move-ledger.ts';
import type { ClockReading } from './allow-for-clock-jump.ts';
import { TransferMeter } from './transfer-rate.ts';

export type EvictionContext = Pick<
  OperatorContext,
  'client' | 'hypervisors' | 'evictions' | 'compute' | 'recorder' | 'metrics' | 'logger' | 'ignore' | 'clock'
>;

/** What all looks at evictions share. */
export interface EvictionParts {
  readonly context: EvictionContext;
  readonly settings: EvictionSettings;
  readonly status: OwnedStatus<Eviction>;
  readonly byHost: EvictionsByHost;
  readonly ledger: MoveLedger;
  readonly metrics: EvictionMetrics;
  readonly notebook: Notebook;
  readonly claims: HostClaims;
}

/** One look at one eviction. */
export interface EvictionPass {
  readonly key: string;
  readonly eviction: Eviction;
  /** Undefined when there is none any more. */
  readonly hypervisor: Hypervisor | undefined;
  readonly notes: EvictionNotes;
  readonly signal: AbortSignal;
}

/** One look at an eviction whose hypervisor is there. */
export interface HypervisorPass extends EvictionPass {
  readonly hypervisor: Hypervisor;
}

/** What is kept of an eviction between looks. All of it may be lost: it only saves calls and makes numbers better. */
export interface EvictionNotes {
  readonly uid: string | undefined;
  readonly meter: TransferMeter;
  /** How requests were answered, by instance, until they are made anew. */
  readonly answers: Map<string, MoveAnswer>;
  /** What both clocks said at the last look. */
  clocks?: ClockReading;
  /** Whether cold moves were under way when it was last told to stop. */
  isCold?: boolean;
  host?: { readonly at: number; readonly host: ComputeHost };
  targets?: {
    readonly at: number;
    /** All that were asked for, also those of which nothing could be told. */
    readonly ids: ReadonlySet<string>;
    readonly byInstance: ReadonlyMap<string, readonly MoveTarget[]>;
  };
}

/** The notes on all evictions. */
export class Notebook {
  readonly #notes = new Map<string, EvictionNotes>();

  /** The notes on this very object; one that was made anew begins with none. */
  on(key: string, { metadata: { uid } }: Eviction): EvictionNotes {
    const known = this.#notes.get(key);
    if (known !== undefined && known.uid === uid) return known;
    const notes = { uid, meter: new TransferMeter(), answers: new Map() };
    this.#notes.set(key, notes);
    return notes;
  }

  forget(key: string): void {
    this.#notes.delete(key);
  }
}
