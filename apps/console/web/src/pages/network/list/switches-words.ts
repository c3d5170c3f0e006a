import type { OVSNode } from '@smalt/ovs-api';

import { switchState } from '../switch-state.ts';

/** How the switches of the fleet do together, such as `3 switches, 1 to look at`. */
export function switchesWords(switches: readonly OVSNode[]): string {
  const wrong = switches.filter((node) => switchState(node).tone !== 'good').length;
  const count = `${switches.length} ${switches.length === 1 ? 'switch' : 'switches'}`;
  return wrong === 0 ? `${count}, all healthy` : `${count}, ${wrong} to look at`;
}
