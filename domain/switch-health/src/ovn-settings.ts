import type { BridgeFacts, SwitchConfiguration } from './switch-facts.ts';

/** What ovn-controller goes by. */
export interface OvnSettings {
  /** The name of its chassis: what it was told when it was started, else `system-id`. */
  readonly chassis: string | undefined;
  /** Where the southbound database is; undefined where OVN is not configured. */
  readonly remote: string | undefined;
  /** The bridge that guests are plugged into. */
  readonly integrationBridge: string;
  /** The bridges that networks are mapped to, in the order in which they are configured. */
  readonly mappedBridges: readonly string[];
}

type OvnKeys = Pick<SwitchConfiguration, 'externalIds' | 'chassis'>;

/** Reads what the database tells ovn-controller. A key with the name of the chassis at its end wins over the common one. */
export function readOvnSettings({ externalIds, chassis: told }: OvnKeys): OvnSettings {
  const chassis = told ?? filled(externalIds.get('system-id'));
  const setting = (key: string): string | undefined =>
    filled((chassis === undefined ? undefined : externalIds.get(`${key}-${chassis}`)) ?? externalIds.get(key));
  return {
    chassis,
    remote: setting('ovn-remote'),
    integrationBridge: setting('ovn-bridge') ?? 'br-int',
    mappedBridges: bridgesOf(setting('ovn-bridge-mappings')),
  };
}

export function findIntegrationBridge(configuration: SwitchConfiguration): BridgeFacts | undefined {
  const { integrationBridge } = readOvnSettings(configuration);
  return configuration.bridges.find(({ name }) => name === integrationBridge);
}

// `physnet1:br-provider,physnet2:br-ex`
function bridgesOf(mappings: string | undefined): readonly string[] {
  return (mappings ?? '')
    .split(',')
    .map((mapping) => mapping.split(':')[1]?.trim() ?? '')
    .filter((name) => name !== '');
}

function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
