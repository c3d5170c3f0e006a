import type { Figure } from '../src/benchmark.ts';
import { costRatio, meanRatio } from '../src/ratio.ts';
import { medianRatio, type MeasureResult } from './measure-result.ts';
import type { PeerName } from './peer-name.ts';
import type { MemoryByPeer } from './peer-memory.ts';

const SERIAL = ['serial_version', 'serial_info'];
const PIPELINED = ['pipelined50_version', 'pipelined50_info', 'pipelined500_version', 'pipelined500_info'];
const SINGLE = ['connect', 'stats1', 'stats100', 'stats1000', 'events'];

/** The least each of these figures should reach. */
export const TARGETS: Readonly<Record<string, number>> = {
  serial_vs_c: 1,
  pipelined_vs_go: 1.2,
  stats1000_vs_c: 1,
  connect_vs_c: 1,
};

/** The peer's time over ours, of groups of measures (geometric mean) and of each; then of memory. */
export function libvirtFigures(results: readonly MeasureResult[], memory: MemoryByPeer): Record<string, Figure> {
  const figures: Record<string, Figure> = {};
  for (const peer of ['c', 'go'] as const) {
    figures[`serial_vs_${peer}`] = groupRatio(results, SERIAL, peer);
    figures[`pipelined_vs_${peer}`] = groupRatio(results, PIPELINED, peer);
    for (const key of SINGLE) figures[`${key}_vs_${peer}`] = groupRatio(results, [key], peer);
    figures[`memory_idle_vs_${peer}`] = memoryRatio(memory, peer);
  }
  return figures;
}

function groupRatio(results: readonly MeasureResult[], keys: readonly string[], peer: PeerName): Figure {
  const group = results.filter(({ measure }) => keys.includes(measure.key));
  return group.length < keys.length ? null : meanRatio(group.map(({ wall }) => medianRatio(wall, peer)));
}

function memoryRatio(memory: MemoryByPeer, peer: PeerName): Figure {
  return costRatio(memory.get(peer)?.idle.proportionalBytes, memory.get('smalt')?.idle.proportionalBytes);
}
