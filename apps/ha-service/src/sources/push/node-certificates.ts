import type { PeerCertificate, TLSSocket } from 'node:tls';

import { chainOf } from '@smalt/kubernetes-callers';

/** What a certificate says of its owner. */
interface NodeCertificate {
  /** The common name, and the DNS names. */
  readonly names: readonly string[];
  /** Of those who signed it. */
  readonly chain: readonly string[];
  /** In small letters without colons. */
  readonly fingerprint: string;
  readonly validUntil: number;
}

export interface CertificateTrust {
  /** Fingerprints of those whose signatures count. */
  readonly authorities: ReadonlySet<string>;
  /** Fingerprints of certificates that do not count any more. */
  readonly refused: readonly string[];
  /** The wall clock, which certificates go by. */
  readonly wallNow: number;
}

/** The certificates that nodes have shown, read once for each connection and judged anew for each request. */
export class NodeCertificates {
  readonly #shown = new WeakMap<TLSSocket, NodeCertificate>();

  /** The names of the node at the other end; undefined when its certificate counts for nothing. */
  namesOf(socket: TLSSocket, { authorities, refused, wallNow }: CertificateTrust): readonly string[] | undefined {
    if (!socket.authorized) return undefined;
    const { names, chain, fingerprint, validUntil } = this.#read(socket);
    // A connection may outlive the certificate it began with.
    if (wallNow > validUntil || refused.includes(fingerprint)) return undefined;
    return names.length > 0 && chain.some((print) => authorities.has(print)) ? names : undefined;
  }

  #read(socket: TLSSocket): NodeCertificate {
    const known = this.#shown.get(socket);
    if (known !== undefined) return known;
    const peer = socket.getPeerCertificate(true);
    const certificate = {
      names: namesIn(peer),
      chain: chainOf(peer),
      fingerprint: (peer.fingerprint256 ?? '').replaceAll(':', '').toLowerCase(),
      validUntil: Date.parse(peer.valid_to ?? ''),
    };
    this.#shown.set(socket, certificate);
    return certificate;
  }
}

function namesIn({ subject, subjectaltname = '' }: PeerCertificate): readonly string[] {
  const common: unknown = subject?.CN;
  // A name that has a comma or the like is quoted there, and is no name of a node.
  const others = subjectaltname.matchAll(/(?:^|, )DNS:(?<name>[^\s,"*]+)(?=,|$)/g);
  const names = [common, ...Array.from(others, ({ groups }) => groups?.['name'])];
  return names.filter((name) => typeof name === 'string').filter((name) => name !== '');
}
