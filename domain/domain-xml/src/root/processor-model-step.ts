import type { CPU } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import { rootStep, type DomainInput, type DomainStep } from '../domain-step.ts';
import { guestCellsOf } from '../processors/guest-cells.ts';
import { architectureOf } from '../shape/architecture.ts';
import { printNumberList } from '../shape/number-list.ts';
import { topologyOf } from '../shape/processor-topology.ts';

/** What the processors of the guest look like, and on which cells of its own they are. */
export const processorModelStep: DomainStep = rootStep('processor-model', (input) => {
  const { instance } = input;
  const { cpu } = instance.spec.domain;
  const isArm = architectureOf(instance).name === 'arm64';
  const { maxSockets: sockets, cores, threads } = topologyOf(instance);
  const { attributes, children } = modelOf(cpu?.model ?? (isArm ? 'host-passthrough' : 'host-model'));
  return [
    element('cpu', attributes, [
      ...children,
      element('topology', { sockets, cores, threads }),
      ...features(cpu),
      ...numa(input),
    ]),
  ];
});

function modelOf(model: string): {
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
} {
  if (model === 'host-model' || model === 'host-passthrough') return { attributes: { mode: model }, children: [] };
  return { attributes: { mode: 'custom', match: 'exact' }, children: [element('model', {}, [model])] };
}

function features(cpu: CPU | undefined): readonly XmlElement[] {
  return (cpu?.features ?? []).map(({ name, policy = '' }) =>
    element('feature', { policy: policy === '' ? 'require' : policy, name }),
  );
}

function numa(input: DomainInput): readonly XmlElement[] {
  const cells = guestCellsOf(input);
  if (cells.length === 0) return [];
  const elements = cells.map(({ id, cpus, memoryBytes, distances }) => {
    const siblings = distances.map((distance) => element('sibling', { id: distance.id, value: distance.value }));
    const attributes = { id, cpus: printNumberList(cpus), memory: memoryBytes, unit: 'b' };
    return element('cell', attributes, siblings.length === 0 ? [] : [element('distances', {}, siblings)]);
  });
  return [element('numa', {}, elements)];
}
