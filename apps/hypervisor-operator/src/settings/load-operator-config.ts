import {
  configFields,
  loadConfig,
  type ConfigField,
  type ConfigSources,
  type LoadedConfig,
} from '@smalt/service-runtime';

import type { OperatorConfig } from './operator-config.ts';
import { operatorSection } from './operator-section.ts';

const VARIABLES = 'SMALT_OPERATOR_';
const SCHEMA = {
  ...operatorSection,
  description:
    'Owns the life of every hypervisor of a cluster until Ctrl-C: onboarding, maintenance, eviction, offboarding. OpenStack is found as its own tools find it: OS_* variables or clouds.yaml.',
} as const;

/** Reads the settings of `smalt operator` from its flags, variables and file. */
export async function loadOperatorConfig(
  sources: Pick<ConfigSources, 'arguments' | 'environment'>,
): Promise<LoadedConfig<OperatorConfig>> {
  const loaded = await loadConfig(SCHEMA, {
    ...sources,
    programName: 'smalt operator',
    environmentPrefix: VARIABLES,
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every value was checked against the same schema
  return loaded as LoadedConfig<OperatorConfig>;
}

/** All settings of `smalt operator`, with their flags and variables. */
export function operatorFields(): readonly ConfigField[] {
  return configFields(SCHEMA, VARIABLES);
}
