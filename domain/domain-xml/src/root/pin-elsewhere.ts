import { child, parseXml, printXml, withChildAdded, withChildReplaced } from '@smalt/xml';

import type { PinningInput } from '../processors/pinning-of.ts';
import { processorTuning } from './processor-tuning-step.ts';

/** The XML of a domain as it is on another node, where its threads have other processors to themselves. */
export function pinElsewhere(text: string, there: PinningInput): string {
  const document = parseXml(text);
  const { root } = document;
  const tuning = processorTuning(there);
  if (tuning === undefined) return text;
  const here = child(root, 'cputune');
  return printXml({
    ...document,
    root: here === undefined ? withChildAdded(root, tuning) : withChildReplaced(root, here, tuning),
  });
}
