import type { DomainCapabilities } from '@smalt/fleet-api';
import { attribute, child, children, parseXml, textContent, valueAt, type XmlElement } from '@smalt/xml';

import { HypervisorFactsError } from './error.ts';
import { ownText } from './own-text.ts';

/**
 * What libvirt can give to a guest, as the status lists it: what is supported, in the order of the document, nothing
 * twice. Throws `unreadable-domain-capabilities` if the text is not such a document.
 */
export function readDomainCapabilities(xml: string): Required<DomainCapabilities> {
  const root = readRoot(xml);
  return {
    arch: ownText(valueAt(root, 'arch')) || 'unknown',
    hypervisorType: ownText(valueAt(root, 'domain')) || 'unknown',
    supportedCpuModes: unique(
      supported(root, 'cpu')
        .filter(isMode)
        .flatMap((mode) => withValues(modeName(mode), mode)),
    ),
    supportedDevices: unique(supported(root, 'devices').flatMap((device) => withValues(ownText(device.name), device))),
    supportedFeatures: unique(supported(root, 'features').map((feature) => ownText(feature.name))),
  };
}

function readRoot(xml: string): XmlElement {
  let problem: unknown;
  try {
    const { root } = parseXml(xml);
    if (root.name === 'domainCapabilities') return root;
    problem = `the document is a ${ownText(root.name)}`;
  } catch (error) {
    problem = error;
  }
  const message = `the domain capabilities cannot be read: ${ownText(String(problem))}`;
  throw new HypervisorFactsError('unreadable-domain-capabilities', message, { cause: problem });
}

function supported(root: XmlElement, section: string): readonly XmlElement[] {
  const owner = child(root, section);
  return owner ? children(owner).filter(isSupported) : [];
}

function isSupported(element: XmlElement): boolean {
  return attribute(element, 'supported') === 'yes';
}

function isMode(element: XmlElement): boolean {
  return element.name === 'mode';
}

function modeName(mode: XmlElement): string {
  return `mode/${ownText(attribute(mode, 'name'))}`;
}

function withValues(name: string, owner: XmlElement): readonly string[] {
  const values = children(owner, 'enum').flatMap((choice) => children(choice, 'value'));
  return [name, ...values.map((value) => `${name}/${ownText(textContent(value))}`)];
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
