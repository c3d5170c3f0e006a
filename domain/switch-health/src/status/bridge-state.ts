import { PORT_LOCAL } from '@smalt/openflow';

import type { Answer, BridgeFacts, FlowTableFacts } from '../switch-facts.ts';

type BridgeWord = 'Active' | 'NoDatapath' | 'Failed' | 'Silent' | 'Disconnected' | 'Pending' | 'Unknown';

/** How a bridge does, in the word of its status, and what is wrong with it. */
export interface BridgeState {
  readonly word: BridgeWord;
  readonly trouble: string | undefined;
  /** Since when, where that is known. */
  readonly since?: number;
}

/** The number of the port that every bridge has for itself, as the database has it. */
const LOCAL_PORT = BigInt(PORT_LOCAL);

/** Judges a bridge whose configuration is fresh and whose switch answers. */
export function bridgeState(bridge: BridgeFacts, flows: Answer<readonly FlowTableFacts[]> | undefined): BridgeState {
  if (bridge.datapathId === undefined) {
    return { word: 'NoDatapath', trouble: `it has no datapath of type ${datapathTypeOf(bridge)}` };
  }
  const local = localInterface(bridge);
  if (local?.ofport !== LOCAL_PORT) {
    const error = local?.error === undefined ? '' : `: ${local.error}`;
    return { word: 'Failed', trouble: `its own port is not in its datapath${error}` };
  }
  if (flows === undefined) return { word: 'Pending', trouble: undefined };
  if (flows.kind === 'unknown') {
    return { word: 'Silent', trouble: 'it does not answer OpenFlow', since: flows.since };
  }
  const isHeadless = bridge.failMode === 'secure' && bridge.controllers.length > 0;
  if (isHeadless && !bridge.controllers.some(({ isConnected }) => isConnected)) {
    return { word: 'Disconnected', trouble: `none of its controllers is connected (${bridgeControllers(bridge)})` };
  }
  return { word: 'Active', trouble: undefined };
}

/** `system` is what an empty type means. */
export function datapathTypeOf({ datapathType }: Pick<BridgeFacts, 'datapathType'>): string {
  return datapathType === '' ? 'system' : datapathType;
}

export function isLocalPort(bridge: Pick<BridgeFacts, 'name'>, port: { readonly name: string }): boolean {
  return port.name === bridge.name;
}

export function localInterface(bridge: BridgeFacts): BridgeFacts['ports'][number]['interfaces'][number] | undefined {
  return bridge.ports.find((port) => isLocalPort(bridge, port))?.interfaces[0];
}

function bridgeControllers({ controllers }: BridgeFacts): string {
  return controllers
    .map(({ target }) => target)
    .toSorted()
    .join(', ');
}
