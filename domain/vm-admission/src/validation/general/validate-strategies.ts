import { EvictionStrategy } from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

const EVICTION_STRATEGIES: readonly string[] = Object.values(EvictionStrategy);

/** What a drain does is one of the known ways. */
export function validateEvictionStrategy({ path, spec, settings }: SpecScope): readonly Cause[] {
  const strategy = spec.evictionStrategy ?? settings.evictionStrategy;
  if (strategy === undefined || EVICTION_STRATEGIES.includes(strategy)) return [];
  const field = `${path}.evictionStrategy`;
  const advice = `Use one of ${EVICTION_STRATEGIES.join(', ')}.`;
  return [invalid(field, `${field} is set with an unrecognized option: ${strategy}`, advice)];
}

/** An instance can only be started paused, and not when a probe would then restart it. */
export function validateStartStrategy({ path, spec }: SpecScope): readonly Cause[] {
  const field = `${path}.startStrategy`;
  const { startStrategy } = spec;
  if (startStrategy === undefined) return [];
  if (startStrategy !== 'Paused') {
    const message = `${field} is set with an unrecognized option: ${startStrategy}`;
    return [invalid(field, message, 'Use Paused, or leave it out to run at once.')];
  }
  if (spec.livenessProbe === undefined) return [];
  return [
    invalid(
      field,
      `either ${field} or ${path}.livenessProbe should be provided.Pausing VMI with LivenessProbe is not supported`,
    ),
  ];
}
