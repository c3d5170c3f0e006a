import { randomUUID } from 'node:crypto';

import { startLibvirtd } from '@smalt/libvirt-daemon';
import type { Libvirtd, LibvirtdLimits } from '@smalt/libvirt-daemon';

import { openBedDirectory } from './bed-directory.ts';
import { makeCertificates } from './make-certificates.ts';
import type { Certificates } from './make-certificates.ts';
import { makeSaslDirectory } from './make-sasl-directory.ts';
import type { SaslAccount } from './make-sasl-directory.ts';

const LOOPBACK = '127.0.0.1';
/** With a dot: libvirtd looks other names up before it tells them. */
const HOSTNAME = 'test-host.bed';

export interface TestDaemonOptions {
  readonly hostname?: string | undefined;
  readonly hostUuid?: string | undefined;
  readonly port?: number | undefined;
  /** Serves TLS beside TCP; `wrong-host` with a certificate made out to another host. */
  readonly tls?: true | 'wrong-host' | undefined;
  /** Asks for this account by SCRAM-SHA-256, over TLS, which it switches on. */
  readonly sasl?: SaslAccount | undefined;
  readonly limits?: LibvirtdLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A libvirtd that serves libvirt's mock hypervisor on loopback: real protocol, real daemon, no guests. */
export interface TestDaemon extends AsyncDisposable {
  /** By TCP: `test+tcp://127.0.0.1:PORT/default`. */
  readonly uri: string;
  readonly port: number;
  readonly hostname: string;
  readonly socketPath: string;
  /** libvirtd's pid, undefined while it does not run. */
  readonly pid: number | undefined;
  /** By TLS, when asked for: `test+tls://127.0.0.1:PORT/default?pkipath=…`. */
  readonly tlsUri: string | undefined;
  readonly tlsPort: number | undefined;
  /** Client certificates, right and wrong ones, when TLS was asked for. */
  readonly certificates: Certificates | undefined;
  /** Where the right client certificate lies: `certificates.path`. */
  readonly pkiPath: string | undefined;
  /** Sends a signal to libvirtd alone. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the libvirtd that runs now has exited. */
  exited(): Promise<void>;
  /** Ends libvirtd, if it runs, and starts it anew on the same ports. Its mock domains start over. */
  restart(signal?: AbortSignal): Promise<void>;
  /** The last lines libvirtd wrote. */
  log(): Promise<string>;
}

/** Starts one mock libvirtd; it goes with the process that owns it. */
export async function startTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  await using cleanUp = new AsyncDisposableStack();
  const directory = cleanUp.use(await openBedDirectory());
  const hostname = options.hostname ?? HOSTNAME;
  const isSecure = options.tls !== undefined || options.sasl !== undefined;
  const certificates = isSecure ? await makeCertificates(directory.path, LOOPBACK) : undefined;
  const serverPath = options.tls === 'wrong-host' ? certificates?.wrongHostPath : certificates?.path;
  const saslPath = options.sasl && (await makeSaslDirectory(directory.path, options.sasl, hostname));
  const daemon = cleanUp.use(
    await startLibvirtd({
      directory: directory.path,
      drivers: 'test',
      hostname,
      hostUuid: options.hostUuid ?? randomUUID(),
      tcp: { port: options.port },
      tls: serverPath === undefined ? undefined : { directory: serverPath },
      sasl: saslPath === undefined ? undefined : { directory: saslPath },
      limits: { ...SMALL_AND_OPEN, ...options.limits },
      signal: options.signal,
    }),
  );
  return testDaemon({ daemon, hostname, certificates, owned: cleanUp.move() });
}

/** Few threads, so that hundreds fit on one machine; many clients, so that none of a test is turned away. */
const SMALL_AND_OPEN: LibvirtdLimits = {
  maxClients: 2000,
  maxAnonymousClients: 2000,
  maxClientRequests: 1000,
  minWorkers: 2,
  maxWorkers: 4,
  prioWorkers: 1,
};

interface Parts {
  readonly daemon: Libvirtd;
  readonly hostname: string;
  readonly certificates: Certificates | undefined;
  readonly owned: AsyncDisposableStack;
}

function testDaemon({ daemon, hostname, certificates, owned }: Parts): TestDaemon {
  const pkiPath = certificates?.path;
  return {
    uri: daemon.uri,
    port: daemon.port ?? 0,
    hostname,
    socketPath: daemon.socketPath,
    get pid() {
      return daemon.pid;
    },
    tlsUri: pkiPath && `test+tls://${LOOPBACK}:${daemon.tlsPort}/default?pkipath=${pkiPath}`,
    tlsPort: daemon.tlsPort,
    certificates,
    pkiPath,
    kill: (signal) => daemon.kill(signal),
    exited: () => daemon.exited(),
    restart: (signal) => daemon.restart(signal),
    log: () => daemon.log(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
