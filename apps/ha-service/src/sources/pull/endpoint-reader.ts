import { messageOf } from '@smalt/service-runtime';

import { HaServiceError } from '../../ha-service-error.ts';
import type { SignalSample } from '../../ports/telemetry-store.ts';
import { sampleDecision, type AnswerTimes, type SampleDecision } from './decide-sample.ts';
import { mergeSamples } from './merge-samples.ts';
import { itemsOf, readItem } from './parse-items.ts';
import { parseMetrics } from './parse-metrics.ts';
import type { PullReading } from './pull-reading.ts';
import type { PullEndpoint, PullRule } from './pull-settings.ts';

export interface PulledText {
  readonly text: string;
  readonly contentType: string;
}

interface PreparedRule {
  readonly rule: PullRule;
  readonly decide: SampleDecision;
}

/** Reads the answers of one endpoint by its rules. */
export class EndpointReader {
  readonly #endpoint: PullEndpoint;
  readonly #rules: readonly PreparedRule[];

  constructor(endpoint: PullEndpoint) {
    this.#endpoint = endpoint;
    this.#rules = endpoint.rules.map((rule) => ({ rule, decide: sampleDecision(rule) }));
  }

  /**
   * What an answer says of hosts. A rule that finds nothing at all is an error: an endpoint that has lost what it is asked
   * for must not be taken for hosts that are silent.
   */
  samples(pulled: PulledText, times: AnswerTimes): readonly SignalSample[] {
    const readingsOf = this.#endpoint.format === 'json' ? this.#items(pulled) : this.#metrics(pulled);
    const samples: SignalSample[] = [];
    for (const { rule, decide } of this.#rules) {
      const own = readingsOf(rule).flatMap((reading) => decide(reading, times) ?? []);
      if (own.length === 0) throw unclear(`it has nothing for the rule of ${rule.source} by ${rule.value}`);
      samples.push(...own);
    }
    return mergeSamples(samples);
  }

  #metrics({ text, contentType }: PulledText): (rule: PullRule) => readonly PullReading[] {
    const wanted = new Set(this.#rules.map(({ rule }) => rule.value));
    const unitMs = contentType.includes('openmetrics') ? 1_000 : 1;
    const found = parseMetrics(text, wanted, unitMs);
    return (rule) => found.get(rule.value) ?? [];
  }

  #items({ text }: PulledText): (rule: PullRule) => readonly PullReading[] {
    const items = itemsOf(parseJson(text), this.#endpoint.items);
    if (items === undefined) throw unclear(`there is no list at ${this.#endpoint.items ?? 'the top'}`);
    return ({ value, time }) => items.flatMap((item) => readItem(item, { value, time }) ?? []);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unclear(`it is no JSON: ${messageOf(error)}`, error);
  }
}

function unclear(message: string, cause?: unknown): HaServiceError {
  return new HaServiceError('unavailable', message, { cause });
}
