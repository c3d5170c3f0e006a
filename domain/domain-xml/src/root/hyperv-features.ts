import type { FeatureHyperv, Features, FeatureState } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import { isOn, stateOf } from '../shape/is-on.ts';

const DEFAULT_SPINLOCKS = 4096;

/** What makes a guest of Windows feel at home. */
export function hypervFeatures(features: Features | undefined): readonly XmlElement[] {
  if (features?.hypervPassthrough?.enabled === true) return [element('hyperv', { mode: 'passthrough' })];
  return features?.hyperv ? [element('hyperv', { mode: 'custom' }, enlightenments(features.hyperv))] : [];
}

function enlightenments(hyperv: FeatureHyperv): readonly (XmlElement | undefined)[] {
  return [
    plain('relaxed', hyperv.relaxed),
    plain('vapic', hyperv.vapic),
    hyperv.spinlocks && spinlocks(hyperv.spinlocks),
    plain('vpindex', hyperv.vpindex),
    plain('runtime', hyperv.runtime),
    plain('synic', hyperv.synic),
    plain('stimer', hyperv.synictimer, [plain('direct', hyperv.synictimer?.direct)]),
    plain('reset', hyperv.reset),
    hyperv.vendorid && element('vendor_id', { state: stateOf(hyperv.vendorid), value: hyperv.vendorid.vendorid }),
    plain('frequencies', hyperv.frequencies),
    plain('reenlightenment', hyperv.reenlightenment),
    plain('tlbflush', hyperv.tlbflush, [
      plain('direct', hyperv.tlbflush?.direct),
      plain('extended', hyperv.tlbflush?.extended),
    ]),
    plain('ipi', hyperv.ipi),
    plain('evmcs', hyperv.evmcs),
  ];
}

function plain(
  name: string,
  feature: FeatureState | undefined,
  parts: readonly (XmlElement | undefined)[] = [],
): XmlElement | undefined {
  return feature && element(name, { state: stateOf(feature) }, isOn(feature) ? parts : []);
}

function spinlocks(feature: NonNullable<FeatureHyperv['spinlocks']>): XmlElement {
  // libvirt refuses a number for what is off.
  const retries = isOn(feature) ? (feature.spinlocks ?? DEFAULT_SPINLOCKS) : undefined;
  return element('spinlocks', { state: stateOf(feature), retries });
}
