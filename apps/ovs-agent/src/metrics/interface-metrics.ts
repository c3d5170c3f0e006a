import type { InterfaceFacts } from '@smalt/switch-health';

/** A counter of an interface: its name for Prometheus, and the key of the database. */
export interface InterfaceCounter {
  readonly name: string;
  readonly help: string;
  readonly key: string;
}

const DIRECTIONS = [
  { word: 'receive', prefix: 'rx', done: 'came in' },
  { word: 'transmit', prefix: 'tx', done: 'went out' },
] as const;

const MEASURES = [
  { word: 'packets', key: 'packets', help: 'Packets that' },
  { word: 'bytes', key: 'bytes', help: 'Bytes that' },
  { word: 'drops', key: 'dropped', help: 'Packets that were dropped when they' },
  { word: 'errors', key: 'errors', help: 'Packets that were damaged when they' },
] as const;

/** What is told of every interface. A counter that the driver does not have is left out. */
export const INTERFACE_COUNTERS: readonly InterfaceCounter[] = DIRECTIONS.flatMap(({ word, prefix, done }) =>
  MEASURES.map((measure) => ({
    name: `ovs_interface_${word}_${measure.word}_total`,
    help: `${measure.help} ${done}.`,
    key: `${prefix}_${measure.key}`,
  })),
);

/** The counter as a number: Prometheus has nothing but doubles. */
export function counterOf({ statistics }: InterfaceFacts, { key }: InterfaceCounter): number | undefined {
  const value = statistics.get(key);
  return value === undefined ? undefined : Number(value);
}
