import { invalid, type Cause } from '../../cause.ts';
import { architectureSettings } from '../../cluster-settings.ts';
import type { SpecScope } from '../spec-rule.ts';

/** The machine is of a type that the cluster allows. */
export function validateMachine({ path, spec, settings }: SpecScope): readonly Cause[] {
  const type = spec.domain.machine?.type ?? '';
  const { emulatedMachines } = architectureSettings(settings, spec.architecture ?? settings.defaultArchitecture);
  if (type === '' || emulatedMachines.some((pattern) => matchesPattern(type, pattern))) return [];
  const field = `${path}.domain.machine.type`;
  return [invalid(field, `${field} is not supported: ${type} (allowed values: [${emulatedMachines.join(' ')}])`)];
}

function matchesPattern(type: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^\w-]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^/]*')}$`).test(type);
}
