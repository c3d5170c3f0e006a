import { invalid, notSupported, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

const POLICIES: readonly string[] = ['', 'force', 'require', 'optional', 'disable', 'forbid'];

/** A guest does not begin with more sockets than it may ever have. */
export function validateMaxSockets({ path, spec }: SpecScope): readonly Cause[] {
  const { sockets = 0, maxSockets = 0 } = spec.domain.cpu ?? {};
  if (maxSockets === 0 || sockets <= maxSockets) return [];
  const message = 'Number of sockets in CPU topology is greater than the maximum sockets allowed';
  return [invalid(`${path}.domain.cpu.sockets`, message, `At most ${maxSockets} (${path}.domain.cpu.maxSockets).`)];
}

/** Features of the processor are wanted or not wanted in a known way. */
export function validateCpuFeatures({ path, spec }: SpecScope): readonly Cause[] {
  return (spec.domain.cpu?.features ?? []).flatMap(({ name, policy = '' }, index) => {
    if (POLICIES.includes(policy)) return [];
    const message = `CPU feature ${name} uses policy ${policy} that is not supported.`;
    const advice = `Use one of ${POLICIES.slice(1).join(', ')}.`;
    return [notSupported(`${path}.domain.cpu.features[${index}].policy`, message, advice)];
  });
}
