import type { SwitchConfiguration } from '@smalt/switch-health';

/** What the database tells ovn-controller. */
export interface OvnSettings {
  /** Where the southbound database is; undefined where OVN is not configured. */
  readonly remote: string | undefined;
  readonly chassis: string | undefined;
  readonly integrationBridge: string;
}

/** Reads what ovn-controller goes by; a value for one chassis wins over that for all. */
export function readOvnSettings({ externalIds }: Pick<SwitchConfiguration, 'externalIds'>): OvnSettings {
  const chassis = externalIds.get('system-id');
  const setting = (name: string): string | undefined => {
    const own = chassis === undefined ? undefined : externalIds.get(`${name}-${chassis}`);
    const value = own ?? externalIds.get(name);
    return value === '' ? undefined : value;
  };
  return { remote: setting('ovn-remote'), chassis, integrationBridge: setting('ovn-bridge') ?? 'br-int' };
}

/** The logical ports that interfaces of this node are for. */
export function interfaceIds(configuration: SwitchConfiguration): ReadonlySet<string> {
  const interfaces = configuration.bridges.flatMap(({ ports }) => ports).flatMap((port) => port.interfaces);
  return new Set(interfaces.flatMap(({ externalIds }) => externalIds.get('iface-id') ?? []));
}
