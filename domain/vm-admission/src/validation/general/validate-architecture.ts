import { invalid, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

const ARCHITECTURES: readonly string[] = ['amd64', 'arm64', 's390x'];

/** The architecture is one that can be run. */
export function validateArchitecture({ path, spec }: SpecScope): readonly Cause[] {
  const architecture = spec.architecture ?? '';
  if (ARCHITECTURES.includes(architecture)) return [];
  return [
    invalid(
      `${path}.architecture`,
      `unsupported architecture: ${architecture}`,
      `Use one of ${ARCHITECTURES.join(', ')}, or leave it out for that of the cluster.`,
    ),
  ];
}
