import type { KubernetesObject } from '@smalt/kubernetes';

import { decideCertificate, renewCertificate, type CertificateContents } from './certificate-contents.ts';
import type { Secret } from './secret-place.ts';

export interface Node extends KubernetesObject {
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
}

/** A Secret that has to be written: one that is there is replaced. */
export interface SecretWish {
  readonly node: Node;
  readonly known: Secret | undefined;
  readonly data: Readonly<Record<string, string>>;
}

export interface NodeWishes {
  /** Whose certificates these are, as in `CertificateWishes`. */
  readonly owner: string;
  readonly now: Date;
}

/** The name of the Secret of a node, which node agents look for. */
export function nodeSecretName(node: Node): string {
  return `tls-libvirt-${node.metadata.name}`;
}

/** Decides which nodes need a certificate, or another one, and makes them. */
export function planNodeCertificates(
  nodes: readonly Node[],
  secrets: readonly Secret[],
  authority: CertificateContents,
  wishes: NodeWishes,
): readonly SecretWish[] {
  const known = new Map(secrets.map((secret) => [secret.metadata.name, secret]));
  return nodes.flatMap((node) => {
    const secret = known.get(nodeSecretName(node));
    const data = neededData(node, secret, authority, wishes);
    return data === undefined ? [] : [{ node, known: secret, data }];
  });
}

function neededData(
  node: Node,
  secret: Secret | undefined,
  authority: CertificateContents,
  { owner, now }: NodeWishes,
): Readonly<Record<string, string>> | undefined {
  const wishes = { owner, now, names: namesOf(node), use: 'peer' } as const;
  const found = { ...authority, certificate: textAt(secret, 'tls.crt'), key: textAt(secret, 'tls.key') };
  const isGood = decideCertificate(found, wishes) === 'keep' && textAt(secret, 'ca.crt') === authority.authorities;
  if (isGood) return undefined;
  const { authorities, certificate, key } = renewCertificate(authority, 'renew-certificate', wishes);
  return { 'ca.crt': base64(authorities), 'tls.crt': base64(certificate), 'tls.key': base64(key) };
}

/** Its name, and all names and addresses that others reach it by. */
function namesOf({ metadata, status }: Node): readonly string[] {
  return [...new Set([metadata.name, ...(status?.addresses ?? []).map(({ address }) => address)])];
}

function textAt(secret: Secret | undefined, key: string): string {
  return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
