import type { VirtualMachineInstance } from '@smalt/vm-api';
import { element, isXmlError, printXml, type XmlElement } from '@smalt/xml';

import type { DomainContext } from './domain-context.ts';
import type { DomainRecipe } from './domain-recipe.ts';
import type { DomainInput } from './domain-step.ts';
import { DomainXmlError } from './domain-xml-error.ts';

/**
 * The domain of an instance as a tree. The same input gives the same tree. Throws a `DomainXmlError` that names the
 * field when the instance or the node cannot have it.
 */
export function buildDomain(
  recipe: DomainRecipe,
  instance: VirtualMachineInstance,
  context: DomainContext,
): XmlElement {
  const input: DomainInput = { instance, context, style: recipe };
  const roots: XmlElement[] = [];
  const devices: XmlElement[] = [];
  for (const step of recipe.domainSteps) {
    if (step.kind === 'root') roots.push(...step.build(input));
    else devices.push(...step.build(input, devices));
  }
  return element('domain', { type: recipe.domainType }, [...roots, element('devices', {}, devices)]);
}

/** The domain of an instance as the text that libvirt takes. */
export function printDomain(recipe: DomainRecipe, instance: VirtualMachineInstance, context: DomainContext): string {
  const domain = buildDomain(recipe, instance, context);
  try {
    return `${printXml(domain, { indent: true })}\n`;
  } catch (error) {
    if (!isXmlError(error)) throw error;
    throw new DomainXmlError('unprintable', `The instance holds a text that XML cannot carry: ${error.message}`, {
      cause: error,
    });
  }
}
