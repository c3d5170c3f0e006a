import { element, type XmlElement } from '@smalt/xml';

import { planIoThreads } from '../disks/plan-io-threads.ts';
import { rootStep, type DomainStep } from '../domain-step.ts';
import { pinningOf, type PinningInput } from '../processors/pinning-of.ts';
import { printNumberList } from '../shape/number-list.ts';
import { readNumberMask } from '../shape/number-mask.ts';
import { topologyOf } from '../shape/processor-topology.ts';

/** On which processors of the host each thread runs, and which of them run in real time. */
export const processorTuningStep: DomainStep = rootStep('processor-tuning', (input) => {
  const tuning = processorTuning(input);
  return tuning === undefined ? [] : [tuning];
});

/** The same for any node; undefined when all threads run anywhere. */
export function processorTuning(input: PinningInput): XmlElement | undefined {
  const tuning = [...pins(input), ...schedulers(input)];
  return tuning.length === 0 ? undefined : element('cputune', {}, tuning);
}

function pins(input: PinningInput): readonly XmlElement[] {
  const pinning = pinningOf(input);
  if (!pinning) return [];
  const ioThreadCount = planIoThreads(input.instance).count;
  return [
    ...pinning.processors.map(({ virtual, host }) => element('vcpupin', { vcpu: virtual, cpuset: host })),
    element('emulatorpin', { cpuset: printNumberList(pinning.emulator) }),
    ...Array.from({ length: ioThreadCount }, (_, index) =>
      element('iothreadpin', { iothread: index + 1, cpuset: ioThreadCpus(pinning.ioThreads, index, ioThreadCount) }),
    ),
  ];
}

/** One processor for each thread when there are enough, else all for all. */
function ioThreadCpus(cpus: readonly number[], index: number, count: number): string {
  const own = cpus[index];
  return own !== undefined && cpus.length === count ? String(own) : printNumberList(cpus);
}

function schedulers({ instance }: PinningInput): readonly XmlElement[] {
  const realtime = instance.spec.domain.cpu?.realtime;
  if (!realtime) return [];
  const { count } = topologyOf(instance);
  const mask = realtime.mask ?? '';
  const field = 'spec.domain.cpu.realtime.mask';
  const chosen = mask === '' ? Array.from({ length: count }, (_, id) => id) : readNumberMask(mask, count, field);
  if (chosen.length === 0) return [];
  return [element('vcpusched', { vcpus: printNumberList(chosen), scheduler: 'fifo', priority: 1 })];
}
