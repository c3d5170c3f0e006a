import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeAuthority, makeCertificate, runProgram } from '@smalt/libvirt-daemon';

import { makeIdentity, type Identity } from './make-identity.ts';

const OPENSSL = { name: 'openssl', debianPackage: 'openssl' } as const;

/** The tokens of who comes without a certificate. */
interface Tokens {
  readonly admin: string;
  readonly controllerManager: string;
  readonly scheduler: string;
  readonly proxy: string;
}

/** The files that the parts of a control plane prove by who they are. */
export interface Keys {
  readonly directory: string;
  readonly authority: string;
  readonly authorityKey: string;
  readonly certificate: string;
  readonly key: string;
  readonly tokenFile: string;
  readonly tokens: Tokens;
  /** Signs the tokens of service accounts. */
  readonly accountKey: string;
  /** Who the API server is when it calls servers that serve a part of the API for it. */
  readonly frontProxy: Identity & { readonly authority: string };
  /** Who it is when it calls kubelets and etcd. */
  readonly apiserver: Identity;
  readonly etcd: Identity;
  readonly admin: Identity;
}

export const FRONT_PROXY_USER = 'front-proxy-client';

/** Makes them in a directory of mode 0700, for a server that goes by these names; `DNS:` or `IP:` goes before each. */
export async function makeKeys(parent: string, names: readonly string[]): Promise<Keys> {
  const directory = join(parent, 'keys');
  const front = join(directory, 'front-proxy');
  const accountKey = join(directory, 'account.key');
  await mkdir(front, { recursive: true, mode: 0o700 });
  const [frontProxy, [apiserver, etcd, admin], tokens] = await Promise.all([
    makeAuthority(front, 'front-proxy').then(() => makeIdentity(front, 'client', { user: FRONT_PROXY_USER })),
    makeAuthority(directory, 'kubernetes').then(async () => {
      await makeCertificate(directory, directory, { kind: 'server', names });
      return await Promise.all([
        makeIdentity(directory, 'apiserver', { user: 'kube-apiserver', group: 'system:masters' }),
        makeIdentity(directory, 'etcd', { user: 'etcd', names }),
        makeIdentity(directory, 'admin', { user: 'admin', group: 'system:masters' }),
      ]);
    }),
    writeTokens(join(directory, 'tokens.csv')),
    runProgram(OPENSSL, ['genrsa', '-out', accountKey, '2048']),
  ]);
  return {
    directory,
    authority: join(directory, 'cacert.pem'),
    authorityKey: join(directory, 'cakey.pem'),
    certificate: join(directory, 'servercert.pem'),
    key: join(directory, 'serverkey.pem'),
    tokenFile: join(directory, 'tokens.csv'),
    tokens,
    accountKey,
    frontProxy: { ...frontProxy, authority: join(front, 'cacert.pem') },
    apiserver,
    etcd,
    admin,
  };
}

async function writeTokens(path: string): Promise<Tokens> {
  const tokens = {
    admin: freshToken(),
    controllerManager: freshToken(),
    scheduler: freshToken(),
    proxy: freshToken(),
  };
  const lines = [
    `${tokens.admin},admin,admin,"system:masters"`,
    `${tokens.controllerManager},system:kube-controller-manager,controller-manager`,
    `${tokens.scheduler},system:kube-scheduler,scheduler`,
    `${tokens.proxy},system:kube-proxy,proxy`,
  ];
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  return tokens;
}

function freshToken(): string {
  return randomBytes(16).toString('hex');
}
