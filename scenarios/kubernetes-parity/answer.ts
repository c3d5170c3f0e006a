import type { JsonValue } from '@smalt/json';

/** What a server said to one step of a probe. */
export interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body, the text of one that is not JSON, or the events of a watch. */
  readonly body: JsonValue;
}

/** The answers to all probes, by the name of the probe. */
export type Recording = Readonly<Record<string, readonly Answer[]>>;
