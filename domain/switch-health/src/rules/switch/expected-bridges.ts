import type { HealthSettings } from '../../health-settings.ts';
import { integrationBridgeName } from '../../integration-bridge.ts';
import type { SwitchFacts } from '../../switch-facts.ts';

/** Bridges that should be there and are not: those of the settings, and those that OVN is configured to use. */
export function missingBridges({ configuration, ovn }: SwitchFacts, settings: HealthSettings): readonly string[] {
  if (configuration === undefined) return [];
  const ofOvn =
    ovn === undefined
      ? []
      : [integrationBridgeName(configuration), ...mappedBridges(configuration.externalIds.get('ovn-bridge-mappings'))];
  const present = new Set(configuration.bridges.map(({ name }) => name));
  return [...new Set([...settings.expectedBridges, ...ofOvn])].filter((name) => !present.has(name)).toSorted();
}

// `physnet1:br-provider,physnet2:br-ex`
function mappedBridges(mappings: string | undefined): readonly string[] {
  return (mappings ?? '')
    .split(',')
    .map((mapping) => mapping.split(':')[1]?.trim() ?? '')
    .filter((name) => name !== '');
}
