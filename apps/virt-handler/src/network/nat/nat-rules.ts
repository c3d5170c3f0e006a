import { printRange } from './ipv4-range.ts';
import type { NatPlace } from './plan-bridge.ts';

/**
 * What `nft` is told so that guests reach the world by the addresses of the node. New connections to guests from beyond the
 * node are dropped. It may be said again at any time: the table is replaced at one stroke.
 */
export function natRules({ bridge, range }: NatPlace): string {
  const guests = printRange(range);
  return [
    ...forgotten(bridge),
    `table ${tableOf(bridge)} {`,
    '  chain source {',
    '    type nat hook postrouting priority srcnat; policy accept;',
    `    ip saddr ${guests} ip daddr != ${guests} oifname != "${bridge}" masquerade`,
    '  }',
    '  chain passage {',
    '    type filter hook forward priority filter; policy accept;',
    `    iifname "${bridge}" ip saddr != ${guests} drop`,
    `    oifname "${bridge}" iifname != "${bridge}" ct state new drop`,
    '  }',
    '}',
    '',
  ].join('\n');
}

/** What `nft` is told when there are no guests any more; it may be said when nothing is there. */
export function noNatRules(bridge: string): string {
  return [...forgotten(bridge), ''].join('\n');
}

/** A table that is not there cannot be deleted. */
function forgotten(bridge: string): readonly string[] {
  return [`add table ${tableOf(bridge)}`, `delete table ${tableOf(bridge)}`];
}

/** One for each bridge, so that nobody else has rules in it. */
function tableOf(bridge: string): string {
  return `inet smalt-${bridge}`;
}
