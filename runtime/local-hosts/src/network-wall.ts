import { runProgram } from '@smalt/libvirt-daemon';

const NFT = { name: 'nft', debianPackage: 'nftables' } as const;
const NSENTER = { name: 'nsenter', debianPackage: 'util-linux' } as const;
const HOST_TABLE = 'smalt-host';

export interface WallOptions {
  readonly bridge: string;
  /** Such as `198.18.7`. */
  readonly prefix: string;
  /** What hosts may reach of this machine. */
  readonly ports: readonly number[];
}

/**
 * What keeps the network of local hosts among them and root: their libvirts take orders from whoever reaches them, and whoever
 * orders a libvirt about is root. Users, guests and containers of the machine do not get in, and hosts do not get out.
 */
export function wallRules({ bridge, prefix, ports }: WallOptions): string {
  return `table inet ${bridge}
delete table inet ${bridge}
table inet ${bridge} {
  chain output {
    type filter hook output priority filter; policy accept;
    ip daddr ${prefix}.0/24 meta skuid != 0 reject
  }
  chain input {
    type filter hook input priority filter; policy accept;
    iifname != { "lo", "${bridge}" } ip daddr ${prefix}.0/24 drop
    iifname "${bridge}" ct state established,related accept
    iifname "${bridge}" meta l4proto icmp accept
    iifname "${bridge}" tcp dport { ${ports.join(', ')} } accept
    iifname "${bridge}" drop
  }
  chain forward {
    type filter hook forward priority filter; policy accept;
    iifname "${bridge}" oifname != "${bridge}" drop
    iifname != "${bridge}" oifname "${bridge}" drop
  }
}
`;
}

/** What keeps the guests of a host from its own libvirt, and from those of its neighbours. */
export function hostWallRules(address: string): string {
  return `table inet ${HOST_TABLE} {
  chain input {
    type filter hook input priority -10; policy accept;
    iifname != { "lo", "eth0" } ip daddr ${address} drop
  }
  chain forward {
    type filter hook forward priority -10; policy accept;
    oifname "eth0" drop
  }
}
`;
}

export async function raiseWall(options: WallOptions): Promise<void> {
  await runProgram(NFT, ['-f', '-'], { input: wallRules(options) });
}

export async function raiseHostWall(namespacePid: number, address: string): Promise<void> {
  const words = ['--target', String(namespacePid), '--net', 'nft', '-f', '-'];
  await runProgram(NSENTER, words, { input: hostWallRules(address) });
}

/** Takes the wall of a bridge away; nothing happens where there is none. */
export async function razeWall(bridge: string): Promise<void> {
  await runProgram(NFT, ['-f', '-'], { input: `table inet ${bridge}\ndelete table inet ${bridge}\n` });
}
