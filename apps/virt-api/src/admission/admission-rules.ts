import type { JsonObject } from '@smalt/json';
import type { Cause, ClusterSettings } from '@smalt/vm-admission';

import type { ObjectReader } from '../cluster/cluster-objects.ts';
import type { PresetLooks } from '../cluster/preset-looks.ts';
import type { AdmissionWrite } from './admission-write.ts';
import type { ObjectShapes } from './object-shapes.ts';
import type { ControlPlane } from './requester-of.ts';

/** What admission works with beside the write itself. */
export interface AdmissionDeps {
  readonly settings: ClusterSettings;
  readonly controlPlane: ControlPlane;
  readonly reader: ObjectReader;
  readonly presets: Pick<PresetLooks, 'find' | 'noteWrite'>;
  readonly shapes: ObjectShapes;
  readonly now: () => Date;
  readonly randomUuid: () => string;
}

/** What is wrong with a write, and what people should know though it is taken. */
export interface Verdict {
  readonly causes: readonly Cause[];
  readonly warnings?: readonly string[];
}

export const NOTHING_WRONG: Verdict = { causes: [] };

/** The rules for the writes of one kind. */
export interface AdmissionRules {
  /** The object with what is filled in. One that does not have the form of its kind is left to those who refuse it. */
  mutate?(
    deps: AdmissionDeps,
    write: AdmissionWrite,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> | JsonObject | undefined;
  validate?(deps: AdmissionDeps, write: AdmissionWrite, signal: AbortSignal): Promise<Verdict> | Verdict;
}
