import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startConsole, type ConsoleServer } from '@smalt/console';
import type { KubeConfig } from '@smalt/kube';
import { HealthRegistry, MetricsRegistry, type Logger } from '@smalt/service-runtime';

import { SmaltError } from '../smalt-error.ts';
import type { MachineAccounts } from '../virtual-machines/machine-accounts.ts';
import { HA_AUDIENCE } from './high-availability-settings.ts';
import type { HighAvailability } from './start-high-availability.ts';

const HOST = '127.0.0.1';
const USUAL_PORT = 8_080;
/** Whom the HA service lets speak for others. */
const ACCOUNT = 'smalt-console';

export interface WebConsoleOptions {
  /** Holds its key, and who signed out. */
  readonly directory: string;
  /** What the page was built into. */
  readonly pagesDirectory: string;
  /** Left out: the usual one, or a free one where that is taken. */
  readonly port?: number | undefined;
  readonly apiServer: KubeConfig;
  /** The addresses of hosts that are on this machine. */
  readonly localHosts: readonly string[];
  readonly accounts: MachineAccounts;
  readonly highAvailability: Pick<HighAvailability, 'url' | 'authorityFile'>;
  readonly log: Logger;
}

/** Starts the web console on loopback. */
export async function startWebConsole(options: WebConsoleOptions, signal: AbortSignal): Promise<ConsoleServer> {
  const { directory, pagesDirectory, apiServer, localHosts, accounts, highAvailability, log, port } = options;
  const tokenFile = await accounts.tokenFile({ name: ACCOUNT, audience: HA_AUDIENCE }, signal);
  const { url, authorityFile } = highAvailability;
  const start = (wanted: number): Promise<ConsoleServer> =>
    startConsole(
      {
        listen: { host: HOST, port: wanted },
        apiServer,
        localHosts,
        highAvailability: {
          url,
          authority: () => readFile(authorityFile, 'utf8'),
          token: async () => (await readFile(tokenFile, 'utf8')).trim(),
        },
        keyFile: join(directory, 'key'),
        signedOutFile: join(directory, 'signed-out'),
        pagesDirectory,
        logger: log,
        metrics: new MetricsRegistry(),
        health: new HealthRegistry(),
      },
      signal,
    );
  try {
    return await start(port ?? USUAL_PORT);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    if (port === undefined) return await start(0);
    const next = 'give another one with --console-port, or leave it out';
    throw new SmaltError('start-failed', `port ${port} for the console is taken: ${next}`, { cause: error });
  }
}

function isPortTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === 'EADDRINUSE') || isPortTaken(error.cause);
}
