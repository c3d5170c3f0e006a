import {
  attribute,
  child,
  findAll,
  parseXml,
  printXml,
  withChildAdded,
  withChildReplaced,
  type XmlElement,
} from '@smalt/xml';

import { DomainXmlError } from '../domain-xml-error.ts';
import type { PinningInput } from '../processors/pinning-of.ts';
import { processorTuning } from './processor-tuning-step.ts';

/**
 * The XML of a domain as it is on another node, where its threads have other processors to themselves. Throws
 * `unsupported-by-node` when its memory is bound to cells of this one.
 */
export function pinElsewhere(text: string, there: PinningInput): string {
  const document = parseXml(text);
  const { root } = document;
  const tuning = processorTuning(there);
  if (tuning === undefined) return text;
  if (isMemoryBound(root)) {
    const message = 'the memory of the domain is bound to cells of this node (numatune); restart it to have it moved';
    throw new DomainXmlError('unsupported-by-node', message);
  }
  const here = child(root, 'cputune');
  return printXml({
    ...document,
    root: here === undefined ? withChildAdded(root, tuning) : withChildReplaced(root, here, tuning),
  });
}

function isMemoryBound(root: XmlElement): boolean {
  const bound = [...findAll(root, 'numatune/memory'), ...findAll(root, 'numatune/memnode')];
  return bound.some((each) => attribute(each, 'nodeset') !== undefined);
}
