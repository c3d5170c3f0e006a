import type { Cause } from '@smalt/vm-admission';
import type { VirtualMachinePreferenceSpec } from '@smalt/vm-api';

import { OLD_TOPOLOGIES, preferredTopology, SpreadAcross, spreadOf, Topology, topologyCalled } from '../topology.ts';

const CPU = 'spec.cpu';
const ACROSS: readonly string[] = Object.values(SpreadAcross);

/** Every reason why a preference cannot be written. */
export function validatePreference(spec: VirtualMachinePreferenceSpec): readonly Cause[] {
  const word = spec.cpu?.preferredCPUTopology;
  if (word !== undefined && topologyCalled(word) === undefined) {
    const advice = `Use one of ${Object.values(Topology).join(', ')}.`;
    return [invalid(`${CPU}.preferredCPUTopology`, `unknown preferredCPUTopology ${word}`, advice)];
  }
  return preferredTopology(spec) === Topology.spread ? validateSpread(spec) : [];
}

function validateSpread(spec: VirtualMachinePreferenceSpec): readonly Cause[] {
  const { ratio, across } = spreadOf(spec);
  const field = `${CPU}.spreadOptions`;
  if (!ACROSS.includes(across)) {
    return [invalid(`${field}.across`, `across ${across} is not supported`, `Use one of ${ACROSS.join(', ')}.`)];
  }
  if (across === SpreadAcross.coresThreads && ratio !== 2) {
    const message = 'only a ratio of 2 (1 core 2 threads) is allowed when spreading vCPUs over cores and threads';
    return [invalid(`${field}.ratio`, message, 'Leave the ratio out.')];
  }
  // Nothing can be divided by none: machines with such a preference could never be made.
  return ratio === 0 ? [invalid(`${field}.ratio`, `${field}.ratio '0': must be greater than 0.`, 'Leave it out.')] : [];
}

/** What people should know about a preference that is taken. */
export function preferenceWarnings({ cpu }: VirtualMachinePreferenceSpec): readonly string[] {
  const word = cpu?.preferredCPUTopology ?? '';
  const now = Object.hasOwn(OLD_TOPOLOGIES, word) ? OLD_TOPOLOGIES[word] : undefined;
  if (now === undefined) return [];
  return [`PreferredCPUTopology ${word} is deprecated for removal in a future release, please use ${now} instead`];
}

function invalid(field: string, message: string, advice: string): Cause {
  return { type: 'FieldValueInvalid', field, message, advice };
}
