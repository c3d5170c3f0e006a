import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';

import { feedByEvents, messageOf } from '@smalt/service-runtime';
import type { FiledCertificate } from '@smalt/serving-certificate';

import { HaServiceError } from '../ha-service-error.ts';
import type { RequestHandler } from '../api/create-api.ts';
import type { ListenAddress } from './listen-address.ts';
import type { TelemetryEndpoint } from './telemetry-endpoint.ts';

/** Slow senders are cut off: a head within 10 s, all of a request within 30 s. */
const LIMITS = {
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // How often the server looks for them.
  connectionsCheckingInterval: 5_000,
  // Agents report every 10 s and keep their connection; 75 s outlives a few that are late.
  keepAliveTimeout: 75_000,
  maxHeaderSize: 32_768,
};

/** Makes the server, which asks for certificates of clients but leaves it to others what they are good for. */
export function createHttpsServer(certificate: FiledCertificate, limits: Partial<typeof LIMITS> = {}): Server {
  const server = createServer({
    ...secureContextOf(certificate),
    ...LIMITS,
    ...limits,
    requestCert: true,
    rejectUnauthorized: false,
  });
  feedByEvents(server);
  return server;
}

/** What the TLS server is given. Authorities that are left out would mean all that the system trusts. */
export function secureContextOf({ certificate, key, authorities }: FiledCertificate): SecureContextOptions {
  return { cert: certificate, key, ca: [...authorities], minVersion: 'TLSv1.2' };
}

/** Hands each request to agents' endpoint first, and what that does not take to the API. */
export function serveRequests(server: Server, api: RequestHandler, telemetry: TelemetryEndpoint | undefined): void {
  server.on('request', (request, response) => {
    if (telemetry?.handle(request, response) === true) return;
    api(request, response);
  });
}

/** Listens until it is disposed of; requests under way then have a moment to end. */
export async function listen(
  server: Server,
  address: ListenAddress,
): Promise<AsyncDisposable & { readonly port: number }> {
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    const message = `listen: ${address.host}:${address.port} cannot be listened on (${messageOf(error)}): give another address or port`;
    throw new HaServiceError('cannot-listen', message, { cause: error });
  }
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : address.port;
  return { port, [Symbol.asyncDispose]: () => close(server) };
}

const DRAIN_MS = 3_000;

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(late);
}
