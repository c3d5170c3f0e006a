import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';

import type { HealthKind, HealthRegistry } from './health-registry.ts';
import type { MetricsRegistry } from './metrics-registry.ts';
import { renderHealth } from './render-health.ts';

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const CHECK_TIMEOUT_MS = 5_000;
/** Prometheus itself gives up after 10 s unless told otherwise. */
const SCRAPE_TIMEOUT_MS = 9_000;
const KINDS: readonly HealthKind[] = ['healthz', 'livez', 'readyz'];

export interface ObservabilityOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly metrics: MetricsRegistry;
  readonly health: HealthRegistry;
}

export interface ObservabilityServer extends AsyncDisposable {
  readonly port: number;
}

/** Serves `/metrics`, `/healthz`, `/livez` and `/readyz` over plain HTTP until it is disposed of. */
export async function startObservabilityServer(options: ObservabilityOptions): Promise<ObservabilityServer> {
  // Not imported: that would read every export of the module, and one of them loads a second HTTP client, 10 MiB.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    answer(options, request, response).catch((error: unknown) => response.destroy(asError(error)));
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return { port, [Symbol.asyncDispose]: () => close(server) };
}

async function answer(
  options: ObservabilityOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(request.url ?? '', 'http://localhost');
  if (url === null) return send(response, 400, TEXT_TYPE, 'bad request\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return send(response, 405, TEXT_TYPE, 'method not allowed\n');
  }
  if (url.pathname === '/metrics') return sendMetrics(options.metrics, response);

  const [kindName = '', check = '', ...rest] = url.pathname.slice(1).split('/');
  const kind = KINDS.find((candidate) => candidate === kindName);
  const isUnknown = rest.length > 0 || (check !== '' && kind !== undefined && !options.health.has(kind, check));
  if (kind === undefined || isUnknown) return send(response, 404, TEXT_TYPE, '404 page not found\n');
  const report = await options.health.run(kind, {
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    exclude: url.searchParams.getAll('exclude'),
    ...(check === '' ? {} : { only: check }),
  });
  const isVerbose = url.searchParams.has('verbose');
  // Who reaches this server reads the metrics as well, which tell more than why something failed.
  const { status, text } = renderHealth(report, isVerbose, isVerbose);
  send(response, status, TEXT_TYPE, text);
}

/** Sends one piece after the other, at the pace of the reader, so that never all of the text is in memory. */
async function sendMetrics(metrics: MetricsRegistry, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(SCRAPE_TIMEOUT_MS)]);
  response.writeHead(200, { 'Content-Type': METRICS_TYPE });
  for await (const piece of metrics.scrape(signal)) {
    if (!response.write(piece)) await once(response, 'drain', { signal });
  }
  response.end();
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }).end(text);
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
