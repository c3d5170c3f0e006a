/** The peers in the order of the table's columns, with their headings. */
export const PEER_TITLES = { smalt: '@smalt/libvirt', c: 'libvirt C', go: 'go-libvirt' } as const;

/** One of the clients that are compared. */
export type PeerName = keyof typeof PEER_TITLES;

/** All peers, ours first. */
export const PEER_NAMES: readonly PeerName[] = ['smalt', 'c', 'go'];
