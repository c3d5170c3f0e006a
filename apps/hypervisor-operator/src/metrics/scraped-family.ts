import { setImmediate } from 'node:timers/promises';

import { metricHeader, metricLine } from '@smalt/service-runtime';

/** One value of an object, with the labels that it has beside those of the object. */
export interface ScrapedValue {
  readonly labels?: string;
  readonly value: number;
}

/** A metric whose series are made from objects at each scrape, and kept by nobody. */
export interface ScrapedFamily<T> {
  readonly name: string;
  readonly help: string;
  readonly valuesOf: (object: T) => readonly ScrapedValue[];
}

export interface ScrapedObjects<T> {
  readonly objects: readonly T[];
  /** The labels that all series of an object have. */
  readonly labelsOf: (object: T) => string;
  readonly families: readonly ScrapedFamily<T>[];
}

/** How many objects are printed before others get their turn. */
const PIECE = 250;

/** Prints the families one after the other, in pieces, so that a large fleet holds nobody up. */
export async function* scrapeObjects<T>(
  { objects, labelsOf, families }: ScrapedObjects<T>,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const labels = objects.map(labelsOf);
  for (const family of families) {
    yield `${metricHeader('gauge', family.name, family.help)}\n`;
    for (let start = 0; start < objects.length; start += PIECE) {
      const piece = objects.slice(start, start + PIECE);
      yield piece.map((object, index) => linesOf(family, object, labels[start + index] ?? '')).join('');
      await setImmediate(undefined, { signal });
    }
  }
}

function linesOf<T>({ name, valuesOf }: ScrapedFamily<T>, object: T, labels: string): string {
  let lines = '';
  for (const { labels: own = '', value } of valuesOf(object)) {
    lines += `${metricLine(name, own === '' ? labels : `${labels},${own}`, value)}\n`;
  }
  return lines;
}
