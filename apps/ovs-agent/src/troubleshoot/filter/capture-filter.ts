/** Which packets a capture is about: the part of pcap-filter that we let through. */
export type CaptureFilter =
  | { readonly kind: 'and' | 'or'; readonly left: CaptureFilter; readonly right: CaptureFilter }
  | { readonly kind: 'not'; readonly filter: CaptureFilter }
  | FilterPrimitive;

export type FilterPrimitive =
  | {
      readonly kind: 'host';
      readonly scope: 'ip' | 'ip6' | 'arp' | 'ether' | undefined;
      readonly direction: FilterDirection | undefined;
      readonly address: string;
    }
  | { readonly kind: 'net'; readonly direction: FilterDirection | undefined; readonly network: string }
  | {
      readonly kind: 'port';
      readonly transport: 'tcp' | 'udp' | 'sctp' | undefined;
      readonly direction: FilterDirection | undefined;
      readonly first: number;
      readonly last: number;
    }
  | { readonly kind: 'protocol'; readonly name: (typeof PROTOCOLS)[number] }
  | { readonly kind: 'protocol-number'; readonly scope: 'ip' | 'ip6' | 'ether'; readonly number: number }
  | {
      readonly kind: 'cast';
      readonly scope: 'ether' | 'ip' | 'ip6' | undefined;
      readonly cast: 'broadcast' | 'multicast';
    }
  | { readonly kind: 'label'; readonly name: 'vlan' | 'mpls' | 'geneve'; readonly id: number | undefined }
  | { readonly kind: 'length'; readonly comparison: 'greater' | 'less'; readonly bytes: number };

export type FilterDirection = 'src' | 'dst' | 'src or dst' | 'src and dst';

export const PROTOCOLS = [
  'ip',
  'ip6',
  'arp',
  'rarp',
  'tcp',
  'udp',
  'sctp',
  'icmp',
  'icmp6',
  'igmp',
  'esp',
  'ah',
  'vrrp',
  'stp',
] as const;
