import { isSameJson } from '@smalt/json';
import type { Cause } from '@smalt/vm-admission';
import type { InstancetypeMatcher, VirtualMachine } from '@smalt/vm-api';

import { isSaid } from '../apply/conflict.ts';
import { matcherJson } from '../find/matcher.ts';

const PARTS = [
  { part: 'instancetype', word: 'InstancetypeMatcher' },
  { part: 'preference', word: 'PreferenceMatcher' },
] as const;
const POLICIES = ['Reject', 'Ignore'];

/** Every reason why a machine cannot choose as it does. `old` is what is there already, undefined for a new one. */
export function validateMatchers(machine: VirtualMachine, old: VirtualMachine | undefined): readonly Cause[] {
  return PARTS.flatMap(({ part, word }) => {
    const matcher = machine.spec[part];
    if (matcher === undefined) return [];
    return [
      ...validateMatcher(matcher, `spec.${part}`, word),
      ...validateChange(matcher, old?.spec[part], `spec.${part}`),
    ];
  });
}

function validateMatcher(matcher: InstancetypeMatcher, field: string, word: string): readonly Cause[] {
  const { name, kind, inferFromVolume, inferFromVolumeFailurePolicy: policy } = matcher;
  const causes: Cause[] = [];
  if (!isSaid(name) && !isSaid(inferFromVolume)) {
    const message = `Either Name or InferFromVolume should be provided within the ${word}`;
    causes.push({ type: 'FieldValueNotFound', field, message, advice: `Set ${field}.name.` });
  }
  for (const [key, label, value] of [
    ['name', 'Name', name],
    ['kind', 'Kind', kind],
  ] as const) {
    if (!isSaid(inferFromVolume) || !isSaid(value)) continue;
    const message = `${label} already set, should be cleared before setting inferFromVolume`;
    causes.push({ type: 'FieldValueNotSupported', field: `${field}.${key}`, message });
  }
  if (policy !== undefined && !POLICIES.includes(policy)) {
    const message = `Invalid value '${policy}' for InferFromVolumeFailurePolicy`;
    const advice = `Use ${POLICIES.join(' or ')}, or leave it out.`;
    causes.push({ type: 'FieldValueInvalid', field: `${field}.inferFromVolumeFailurePolicy`, message, advice });
  }
  return causes;
}

/** Another name needs another revision: the pinned one would stay in force. */
function validateChange(
  matcher: InstancetypeMatcher,
  old: InstancetypeMatcher | undefined,
  field: string,
): readonly Cause[] {
  if (old === undefined || !isSaid(matcher.revisionName) || isSameJson(matcherJson(matcher), matcherJson(old))) {
    return [];
  }
  if (old.name === matcher.name || old.revisionName !== matcher.revisionName) return [];
  const message = 'the Matcher Name has been updated without updating the RevisionName';
  const advice = `Leave ${field}.revisionName out.`;
  return [{ type: 'FieldValueInvalid', field: `${field}.revisionName`, message, advice }];
}
