import { element, type XmlElement } from '@smalt/xml';

import { rootStep, type DomainInput, type DomainStep } from '../domain-step.ts';
import { architectureOf } from '../shape/architecture.ts';
import { domainUuid } from './identity-step.ts';

/** What the guest reads about its machine, where it can read such things at all. */
export const systemInformationStep: DomainStep = rootStep('system-information', (input) => {
  if (architectureOf(input.instance).name === 's390x') return [];
  return [element('sysinfo', { type: 'smbios' }, [section('system', system(input)), ...chassis(input)])];
});

type Entries = Readonly<Record<string, string | undefined>>;

function system({ instance, context: { machineLabel } }: DomainInput): Entries {
  return {
    manufacturer: machineLabel.manufacturer,
    product: machineLabel.product,
    version: machineLabel.version,
    serial: instance.spec.domain.firmware?.serial,
    uuid: domainUuid(instance),
    sku: machineLabel.sku,
    family: machineLabel.family,
  };
}

function chassis({ instance }: DomainInput): readonly XmlElement[] {
  const asked = instance.spec.domain.chassis;
  if (!asked) return [];
  const { manufacturer, version, serial, asset, sku } = asked;
  return [section('chassis', { manufacturer, version, serial, asset, sku })];
}

function section(name: string, entries: Entries): XmlElement {
  const given = Object.entries(entries).filter(([, value]) => value !== undefined && value !== '');
  return element(
    name,
    {},
    given.map(([key, value]) => element('entry', { name: key }, [value])),
  );
}
