import type { Figure } from '../src/benchmark.ts';
import { costRatio, meanRatio } from '../src/ratio.ts';
import type { ApiResults } from './api-result.ts';

/** The least each of these figures should reach. */
export const TARGETS: Readonly<Record<string, number>> = {
  start_vs_kube: 5,
  memory_vs_kube: 4,
  writes_vs_kube: 2,
  watch_p99_vs_kube: 2,
  list5000_vs_kube: 1,
};

const WRITES = ['create1PerSecond', 'create16PerSecond', 'status1PerSecond', 'status16PerSecond'];

/** How many times better than the real server ours is, and what a controller of ours takes. */
export function apiFigures(results: ApiResults): Record<string, Figure> {
  const cost = (quantity: string): Figure => costRatio(results.get('kube', quantity), results.get('smalt', quantity));
  const gain = (quantity: string): Figure => costRatio(results.get('smalt', quantity), results.get('kube', quantity));
  return {
    start_vs_kube: cost('startMs'),
    memory_vs_kube: cost('idleBytes'),
    memory5000_vs_kube: cost('listedBytes'),
    writes_vs_kube: meanRatio(WRITES.map(gain)),
    creates1_vs_kube: gain('create1PerSecond'),
    creates16_vs_kube: gain('create16PerSecond'),
    status1_vs_kube: gain('status1PerSecond'),
    status16_vs_kube: gain('status16PerSecond'),
    watch_p50_vs_kube: cost('watchP50Ms'),
    watch_p99_vs_kube: cost('watchP99Ms'),
    fanout_p99_vs_kube: cost('fanOutP99Ms'),
    list5000_vs_kube: cost('listP50Ms'),
    sync10k_ms: results.get('smalt', 'syncMs') ?? null,
    bytes_per_object: results.get('smalt', 'bytesPerObject') ?? null,
  };
}
