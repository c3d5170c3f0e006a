import type { NodeCell } from '../domain-context.ts';
import { DomainXmlError } from '../domain-xml-error.ts';
import type { ProcessorTopology } from '../shape/processor-topology.ts';

export interface PinningRequest {
  readonly topology: Pick<ProcessorTopology, 'count' | 'threads'>;
  /** The processors of the node that are the instance's own. */
  readonly cpus: readonly number[];
  readonly cells: readonly NodeCell[];
  readonly isolateEmulator: boolean;
  /** How many threads for disks want processors of their own. */
  readonly ioThreads: number;
}

export interface ProcessorPinning {
  readonly processors: readonly PinnedProcessor[];
  readonly emulator: readonly number[];
  readonly ioThreads: readonly number[];
}

interface PinnedProcessor {
  readonly virtual: number;
  readonly host: number;
  /** The NUMA cell of the host it is on. */
  readonly cell: number;
}

interface HostProcessor {
  readonly host: number;
  readonly cell: number;
  readonly core: number;
}

/**
 * Gives each processor of the guest one of the host. Threads of a guest's core lie on threads of one core of the host
 * as long as there are such. What is left goes to threads for disks, then to the emulator, which shares the processors of
 * the guest unless it is isolated.
 */
export function pinProcessors(request: PinningRequest): ProcessorPinning {
  const { topology, isolateEmulator } = request;
  const ordered = orderByCores(hostProcessors(request), topology.threads);
  const wanted = topology.count + (isolateEmulator ? 1 : 0);
  if (ordered.length < wanted) throw tooFew(ordered.length, wanted);
  const processors = ordered.slice(0, topology.count).map(({ host, cell }, virtual) => ({ virtual, host, cell }));
  const spare = ordered.slice(topology.count).map(({ host }) => host);
  const own = processors.map(({ host }) => host);
  const forIoThreads = spare.slice(
    0,
    Math.max(0, Math.min(request.ioThreads, spare.length - (isolateEmulator ? 1 : 0))),
  );
  const forEmulator = spare.slice(forIoThreads.length);
  const emulator = isolateEmulator ? forEmulator : [...own, ...forEmulator];
  return { processors, emulator, ioThreads: forIoThreads.length > 0 ? forIoThreads : emulator };
}

function hostProcessors({ cpus, cells }: PinningRequest): readonly HostProcessor[] {
  const own = new Set(cpus);
  const known = cells.flatMap((cell) =>
    cell.cpus
      .filter(({ id }) => own.has(id))
      .map(({ id, siblings }) => ({ host: id, cell: cell.id, core: Math.min(id, ...siblings) })),
  );
  const strangers = [...own].filter((id) => !known.some(({ host }) => host === id));
  const all = [...known, ...strangers.map((id) => ({ host: id, cell: cells[0]?.id ?? 0, core: id }))];
  return all.toSorted((left, right) => left.cell - right.cell || left.core - right.core || left.host - right.host);
}

/** Whole groups of `threads` processors of one core first, single ones behind. */
function orderByCores(processors: readonly HostProcessor[], threads: number): readonly HostProcessor[] {
  const cores = new Map<string, HostProcessor[]>();
  for (const processor of processors) {
    const key = `${processor.cell} ${processor.core}`;
    cores.set(key, [...(cores.get(key) ?? []), processor]);
  }
  const groups = [...cores.values()];
  const wholeLength = (core: readonly HostProcessor[]): number => core.length - (core.length % threads);
  return [
    ...groups.flatMap((core) => core.slice(0, wholeLength(core))),
    ...groups.flatMap((core) => core.slice(wholeLength(core))),
  ];
}

function tooFew(has: number, wants: number): DomainXmlError {
  const message = `${wants} processors of its own are needed and its pod has ${has}; is the CPU manager of the node static?`;
  return new DomainXmlError('too-few-cpus', message, { field: 'spec.domain.cpu.dedicatedCpuPlacement' });
}
