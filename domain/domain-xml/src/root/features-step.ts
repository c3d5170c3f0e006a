import { element, type XmlElement } from '@smalt/xml';

import { rootStep, type DomainInput, type DomainStep } from '../domain-step.ts';
import { architectureOf } from '../shape/architecture.ts';
import { isOn, stateOf } from '../shape/is-on.ts';
import { hypervFeatures } from './hyperv-features.ts';

/** Features of the machine. */
export const featuresStep: DomainStep = rootStep('features', (input) => {
  const features = element('features', {}, featureList(input));
  return features.children.length === 0 ? [] : [features];
});

function featureList({ instance }: DomainInput): readonly (XmlElement | undefined)[] {
  const { features, cpu } = instance.spec.domain;
  const { name } = architectureOf(instance);
  const hasAcpi = name !== 's390x' && features?.acpi?.enabled !== false;
  return [
    hasAcpi ? element('acpi') : undefined,
    isOn(features?.apic) ? element('apic', { eoi: switchOf(features?.apic?.endOfInterrupt) }) : undefined,
    ...hypervFeatures(features),
    features?.kvm?.hidden === undefined
      ? undefined
      : element('kvm', {}, [element('hidden', { state: switchOf(features.kvm.hidden) })]),
    features?.pvspinlock ? element('pvspinlock', { state: stateOf(features.pvspinlock) }) : undefined,
    // Counting events interrupts processors that must not be interrupted.
    cpu?.realtime ? element('pmu', { state: 'off' }) : undefined,
    features?.smm ? element('smm', { state: stateOf(features.smm) }) : undefined,
    // A port by which guests of another product talk to their host: some kernels misbehave when they find it.
    name === 'amd64' ? element('vmport', { state: 'off' }) : undefined,
  ];
}

function switchOf(value: boolean | undefined): 'on' | 'off' | undefined {
  if (value === undefined) return undefined;
  return value ? 'on' : 'off';
}
