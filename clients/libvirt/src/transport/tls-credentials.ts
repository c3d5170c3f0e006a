import { readFile } from 'node:fs/promises';
import { LibvirtError } from '../libvirt-error.ts';

/** What the caller brings for TLS. Everything is optional: what is missing is read from libvirt's usual files. */
export interface TlsOptions {
  /** The certificate authority that signed the daemon's certificate, in PEM. */
  readonly ca?: string | Buffer;
  /** The client certificate in PEM; goes together with `key`. */
  readonly cert?: string | Buffer;
  /** The private key of the client certificate in PEM. */
  readonly key?: string | Buffer;
  /** A folder with cacert.pem, clientcert.pem and clientkey.pem; `pkipath` in the URI goes first. */
  readonly pkiPath?: string;
  /** The name that the daemon's certificate must carry, when it is not the host in the URI. */
  readonly serverName?: string;
}

/** The certificates for one handshake, in PEM. */
export interface TlsCredentials {
  readonly ca?: string | Buffer;
  readonly crl?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
}

interface CredentialFiles {
  readonly ca: string;
  readonly crl: string;
  readonly cert: string;
  readonly key: string;
  /** Whether certificate and key must exist: libvirt insists on it only in a folder that was named. */
  readonly needsClientCertificate: boolean;
}

const SYSTEM_FILES: CredentialFiles = {
  ca: '/etc/pki/CA/cacert.pem',
  crl: '/etc/pki/CA/cacrl.pem',
  cert: '/etc/pki/libvirt/clientcert.pem',
  key: '/etc/pki/libvirt/private/clientkey.pem',
  needsClientCertificate: false,
};

/** Collects what a TLS handshake needs from the options, from the folder in the URI, or from libvirt's usual places. */
export async function readTlsCredentials(
  pkiPath: string | undefined,
  verify: boolean,
  options: TlsOptions,
): Promise<TlsCredentials> {
  if ((options.cert === undefined) !== (options.key === undefined)) {
    throw failed('options.tls.cert and options.tls.key go together: give both or neither');
  }
  const files = credentialFiles(pkiPath ?? options.pkiPath);
  const [ca, crl, client] = await Promise.all([
    options.ca ?? readPem(files.ca, 'the certificate authority', verify),
    options.ca === undefined ? readPem(files.crl, 'the revocation list', false) : undefined,
    options.cert === undefined || options.key === undefined
      ? readClientCertificate(files, options)
      : { cert: options.cert, key: options.key },
  ]);
  return { ...(ca === undefined ? {} : { ca }), ...(crl === undefined ? {} : { crl }), ...client };
}

function credentialFiles(folder: string | undefined): CredentialFiles {
  if (folder === undefined) return SYSTEM_FILES;
  return {
    ca: `${folder}/cacert.pem`,
    crl: `${folder}/cacrl.pem`,
    cert: `${folder}/clientcert.pem`,
    key: `${folder}/clientkey.pem`,
    needsClientCertificate: true,
  };
}

async function readClientCertificate(
  files: CredentialFiles,
  options: TlsOptions,
): Promise<Pick<TlsCredentials, 'cert' | 'key'>> {
  // An authority given as PEM with no certificate beside it: the caller wants none.
  if (options.ca !== undefined && !files.needsClientCertificate) return {};
  const cert = await readPem(files.cert, 'the client certificate', files.needsClientCertificate);
  const key = await readPem(files.key, 'the key of the client certificate', cert !== undefined);
  return cert === undefined || key === undefined ? {} : { cert, key };
}

async function readPem(path: string, what: string, isNeeded: boolean): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    if (isMissing && !isNeeded) return undefined;
    throw failed(
      `${what} cannot be read from ${path}${isMissing ? ': no such file' : ''}; ` +
        'put it there, name its folder with ?pkipath=DIR, or pass it in options.tls',
      cause,
    );
  }
}

function failed(message: string, cause?: unknown): LibvirtError {
  return new LibvirtError('connect-failed', `TLS: ${message}`, { cause });
}
