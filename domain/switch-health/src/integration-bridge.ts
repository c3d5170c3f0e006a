import type { BridgeFacts, SwitchConfiguration } from './switch-facts.ts';

/** The bridge that OVN plugs ports into: `external_ids:ovn-bridge`, or `br-int`. */
export function integrationBridgeName({ externalIds }: Pick<SwitchConfiguration, 'externalIds'>): string {
  return externalIds.get('ovn-bridge') ?? 'br-int';
}

export function findIntegrationBridge(configuration: SwitchConfiguration): BridgeFacts | undefined {
  const name = integrationBridgeName(configuration);
  return configuration.bridges.find((bridge) => bridge.name === name);
}
