import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect, type PeerCertificate } from 'node:tls';

import type { FileOrText, KubeConfig } from '@smalt/kube';

import type { CertificateFact } from './machine-facts.ts';

const ANSWER_MS = 5_000;

/** When the certificates end by which the cluster and its user know each other. What cannot be read is left out. */
export async function readCertificates({ identity, server }: KubeConfig): Promise<readonly CertificateFact[]> {
  const [own, theirs] = await Promise.all([
    identity.kind === 'certificate' ? endOf(identity.certificate) : undefined,
    serverEnd(server),
  ]);
  return [
    ...(own === undefined ? [] : [{ what: 'the kubeconfig', endsAt: own }]),
    ...(theirs === undefined ? [] : [{ what: 'the API server', endsAt: theirs }]),
  ];
}

async function endOf(from: FileOrText): Promise<Date | undefined> {
  try {
    const text = from.kind === 'text' ? from.text : await readFile(from.path, 'utf8');
    return new X509Certificate(text).validToDate;
  } catch {
    // Whoever uses it says better what is wrong with it.
    return undefined;
  }
}

/** Asks for the certificate and hangs up; whether it is to be trusted is not the question here. */
async function serverEnd(server: string): Promise<Date | undefined> {
  const url = URL.parse(server);
  if (url?.protocol !== 'https:') return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve } = Promise.withResolvers<Date | undefined>();
  const socket = connect({ host, port: Number(url.port || 443), rejectUnauthorized: false, timeout: ANSWER_MS }, () => {
    resolve(dateOf(socket.getPeerCertificate()));
  });
  socket.on('error', () => resolve(undefined)).on('timeout', () => resolve(undefined));
  const end = await promise;
  socket.destroy();
  return end;
}

function dateOf({ valid_to: end }: PeerCertificate): Date | undefined {
  const time = Date.parse(end);
  return Number.isNaN(time) ? undefined : new Date(time);
}
