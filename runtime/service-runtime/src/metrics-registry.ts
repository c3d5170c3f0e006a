import { MetricFamily, type MetricOptions } from './metric-family.ts';
import { metricHeader, metricLine } from './metric-text.ts';
import { ServiceError } from './service-error.ts';

/** A number that only grows. */
export class Counter {
  #value = 0;

  get value(): number {
    return this.#value;
  }

  add(amount = 1): void {
    this.#value += amount;
  }
}

/** A number that goes up and down. */
export class Gauge {
  #value = 0;

  get value(): number {
    return this.#value;
  }

  set(value: number): void {
    this.#value = value;
  }

  add(amount = 1): void {
    this.#value += amount;
  }
}

/** How often a value fell into each of a row of ranges. */
export class Histogram {
  readonly bounds: readonly number[];
  readonly counts: Float64Array;
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length);
  }

  get sum(): number {
    return this.#sum;
  }

  get count(): number {
    return this.#count;
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count++;
    const { bounds, counts } = this;
    for (let index = 0; index < bounds.length; index++) {
      if (value > (bounds[index] ?? 0)) continue;
      counts[index] = (counts[index] ?? 0) + 1;
      return;
    }
  }
}

export interface HistogramOptions extends MetricOptions {
  /** The upper ends of the ranges, growing; the last range, without an end, is added by itself. */
  readonly buckets: readonly number[];
}

type Family =
  | { readonly kind: 'counter'; readonly family: MetricFamily<Counter> }
  | { readonly kind: 'gauge'; readonly family: MetricFamily<Gauge> }
  | { readonly kind: 'histogram'; readonly family: MetricFamily<Histogram> };

/**
 * Gives lines in the text format of Prometheus, made anew for every scrape and piece by piece: for series that are too
 * many to keep, or that somebody else has to be asked for. One that throws fails the whole scrape.
 */
export type ScrapeSource = (signal: AbortSignal) => AsyncIterable<string>;

/** The metrics of a process, and their text for Prometheus. */
export class MetricsRegistry {
  readonly #families = new Map<string, Family>();
  readonly #collectors: (() => void)[] = [];
  readonly #sources: ScrapeSource[] = [];

  counter(options: MetricOptions): MetricFamily<Counter> {
    return this.#add({ kind: 'counter', family: new MetricFamily(options, () => new Counter()) }).family;
  }

  gauge(options: MetricOptions): MetricFamily<Gauge> {
    return this.#add({ kind: 'gauge', family: new MetricFamily(options, () => new Gauge()) }).family;
  }

  histogram(options: HistogramOptions): MetricFamily<Histogram> {
    const { buckets } = options;
    if (buckets.some((bound, index) => bound <= (buckets[index - 1] ?? -Infinity))) {
      throw new ServiceError('invalid-metric', `the buckets of ${options.name} must grow`);
    }
    return this.#add({ kind: 'histogram', family: new MetricFamily(options, () => new Histogram(buckets)) }).family;
  }

  /** Calls back before every exposition, for values that are cheaper to look up than to keep. */
  onCollect(collect: () => void): void {
    this.#collectors.push(collect);
  }

  /** Asks the source at every scrape; its metrics must have names that no other metric has. */
  onScrape(source: ScrapeSource): void {
    this.#sources.push(source);
  }

  /** Everything there is, in the text format of Prometheus, in pieces: what `expose` gives, then what the sources say. */
  async *scrape(signal: AbortSignal): AsyncGenerator<string, void> {
    yield this.expose();
    for (const source of this.#sources) yield* source(signal);
  }

  /** All that `scrape` gives, in one piece. */
  async scrapeText(signal: AbortSignal): Promise<string> {
    const pieces: string[] = [];
    for await (const piece of this.scrape(signal)) pieces.push(piece);
    return pieces.join('');
  }

  /** The metrics that are kept here, in the text format of Prometheus, without those of the sources. */
  expose(): string {
    for (const collect of this.#collectors) collect();
    const lines: string[] = [];
    for (const entry of this.#families.values()) {
      const { name, help } = entry.family;
      lines.push(metricHeader(entry.kind, name, help));
      if (entry.kind === 'histogram') exposeHistogram(entry.family, lines);
      else for (const { labels, cell } of entry.family.cells()) lines.push(metricLine(name, labels, cell.value));
    }
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  }

  #add<F extends Family>(entry: F): F {
    const { name } = entry.family;
    if (this.#families.has(name)) throw new ServiceError('invalid-metric', `there is a metric ${name} already`);
    this.#families.set(name, entry);
    return entry;
  }
}

function exposeHistogram(family: MetricFamily<Histogram>, lines: string[]): void {
  for (const { labels, cell } of family.cells()) {
    const lead = labels === '' ? '' : `${labels},`;
    let total = 0;
    for (const [index, bound] of cell.bounds.entries()) {
      total += cell.counts[index] ?? 0;
      lines.push(metricLine(`${family.name}_bucket`, `${lead}le="${bound}"`, total));
    }
    lines.push(
      metricLine(`${family.name}_bucket`, `${lead}le="+Inf"`, cell.count),
      metricLine(`${family.name}_sum`, labels, cell.sum),
      metricLine(`${family.name}_count`, labels, cell.count),
    );
  }
}
