import type { HealthSettings } from '../../health-settings.ts';
import { readOvnSettings } from '../../ovn-settings.ts';
import type { SwitchFacts } from '../../switch-facts.ts';

/** Bridges that should be there and are not: those of the settings, and those that OVN is configured to use. */
export function missingBridges({ configuration, ovn }: SwitchFacts, settings: HealthSettings): readonly string[] {
  if (configuration === undefined) return [];
  const { integrationBridge, mappedBridges } = readOvnSettings(configuration);
  const ofOvn = ovn === undefined ? [] : [integrationBridge, ...mappedBridges];
  const present = new Set(configuration.bridges.map(({ name }) => name));
  return [...new Set([...settings.expectedBridges, ...ofOvn])].filter((name) => !present.has(name)).toSorted();
}
