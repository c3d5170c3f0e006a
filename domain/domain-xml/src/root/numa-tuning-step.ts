import { element } from '@smalt/xml';

import { rootStep, type DomainStep } from '../domain-step.ts';
import { guestCellsOf } from '../processors/guest-cells.ts';
import { printNumberList } from '../shape/number-list.ts';

/** From which cells of the host the memory of the guest is taken. */
export const numaTuningStep: DomainStep = rootStep('numa-tuning', (input) => {
  const fixed = guestCellsOf(input).flatMap(({ id, hostCell }) => (hostCell === undefined ? [] : [{ id, hostCell }]));
  if (fixed.length === 0) return [];
  const nodeset = printNumberList(fixed.map(({ hostCell }) => hostCell));
  return [
    element('numatune', {}, [
      element('memory', { mode: 'strict', nodeset }),
      ...fixed.map(({ id, hostCell }) => element('memnode', { cellid: id, mode: 'strict', nodeset: hostCell })),
    ]),
  ];
});
