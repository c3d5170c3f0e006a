import { printJson, type JsonObject } from '@smalt/json';
import { renderHealth, type HealthKind, type HealthRegistry, type MetricsRegistry } from '@smalt/service-runtime';

import { plainMethodNotAllowedError, unknownResourceError } from '../errors/make-status-error.ts';
import type { Discovery } from '../discovery/serve-discovery.ts';
import type { OpenApi } from '../openapi/serve-openapi.ts';
import type { Exchange } from './exchange.ts';
import { JSON_TYPE, wantsPretty } from './negotiate.ts';
import type { RequestInfo } from './request-info.ts';
import { sendBody } from './send-body.ts';
import { versionDocument } from './server-version.ts';

/** What is served outside of resources. */
export interface PathDependencies {
  readonly discovery: Discovery;
  readonly openApi: OpenApi;
  readonly health: HealthRegistry;
  readonly metrics: MetricsRegistry;
  /** Further documents by their path, such as the keys that tokens are signed with. */
  readonly documents: ReadonlyMap<string, () => JsonObject>;
  /** What is done on a POST, by its path. */
  readonly actions: ReadonlyMap<string, PathAction>;
}

export type PathAction = (exchange: Exchange) => Promise<void>;

const TEXT = 'text/plain; charset=utf-8';
/** Prometheus itself gives up after 10 s unless told otherwise. */
const SCRAPE_TIMEOUT_MS = 9_000;
const PATHS = ['/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];

/** Answers a request that is about no resource; 404 where there is nothing. */
export async function servePath(deps: PathDependencies, exchange: Exchange, info: RequestInfo): Promise<void> {
  const [root = ''] = info.path.split('/').slice(1);
  if (isHealthKind(root)) return serveHealth(deps.health, root, exchange, info);
  const action = deps.actions.get(info.path);
  if (action !== undefined) {
    if (exchange.method !== 'POST') throw plainMethodNotAllowedError();
    return action(exchange);
  }
  if (!isReading(exchange)) {
    if (root === 'api' || root === 'apis') throw plainMethodNotAllowedError();
    return sendNotFound(exchange);
  }
  switch (root) {
    case 'api':
    case 'apis':
      return serveDiscovery(deps.discovery, exchange, info.path);
    case 'openapi':
      if (!(await deps.openApi.serve(exchange, info.path, info.query))) sendNotFound(exchange);
      return;
    case 'metrics':
      return serveMetrics(deps.metrics, exchange);
    default:
      return serveDocument(deps, exchange, info);
  }
}

async function serveMetrics(metrics: MetricsRegistry, exchange: Exchange): Promise<void> {
  const text = await metrics.scrapeText(AbortSignal.timeout(SCRAPE_TIMEOUT_MS));
  await sendBody(exchange, 200, 'text/plain; version=0.0.4; charset=utf-8', Buffer.from(text));
}

function isReading({ method }: Exchange): boolean {
  return method === 'GET' || method === 'HEAD';
}

async function serveDocument(deps: PathDependencies, exchange: Exchange, info: RequestInfo): Promise<void> {
  const document = documentAt(deps, info.path);
  if (document === undefined) return sendNotFound(exchange);
  const isPretty = wantsPretty(info.query, exchange.header('user-agent')) || info.path === '/version';
  exchange.send(200, JSON_TYPE, isPretty ? JSON.stringify(document, undefined, 2) : printJson(document));
}

function documentAt(deps: PathDependencies, path: string): JsonObject | undefined {
  if (path === '/version' || path === '/version/') return versionDocument();
  if (path === '/') return { paths: allPaths(deps) };
  return deps.documents.get(path)?.();
}

function allPaths(deps: PathDependencies): readonly string[] {
  const groups = deps.discovery.groups().flatMap(({ name, versions }) => {
    const root = name === '' ? '/api' : `/apis/${name}`;
    return [root, ...versions.map(({ version }) => `${root}/${version}`)];
  });
  return [...groups, '/apis', ...PATHS, ...deps.documents.keys()].toSorted();
}

async function serveDiscovery(discovery: Discovery, exchange: Exchange, path: string): Promise<void> {
  const answer = discovery.answer(path, exchange.header('accept'));
  if (answer === undefined) {
    const [root, group = ''] = path.split('/').slice(1);
    if (discovery.isBuiltIn(root === 'api' ? '' : group)) throw unknownResourceError();
    return sendNotFound(exchange);
  }
  exchange.setHeader('Vary', 'Accept');
  if (answer.etag !== undefined) {
    exchange.setHeader('ETag', answer.etag);
    exchange.setHeader('Cache-Control', 'public');
    if (exchange.header('if-none-match') === answer.etag) return exchange.sendEmpty(304);
  }
  return sendBody(exchange, 200, answer.contentType, answer.body);
}

async function serveHealth(
  health: HealthRegistry,
  kind: HealthKind,
  exchange: Exchange,
  info: RequestInfo,
): Promise<void> {
  const only = info.path.split('/').slice(2).join('/').replace(/\/$/, '');
  if (only !== '' && !health.has(kind, only)) return sendNotFound(exchange);
  const exclude = info.query.getAll('exclude');
  const report = await health.run(kind, { signal: exchange.signal, exclude, ...(only === '' ? {} : { only }) });
  const answer = renderHealth(report, info.query.has('verbose'));
  exchange.setHeader('X-Content-Type-Options', 'nosniff');
  exchange.send(answer.status, TEXT, answer.text);
}

function isHealthKind(root: string): root is HealthKind {
  return root === 'healthz' || root === 'livez' || root === 'readyz';
}

/** Answers that there is nothing here. Not a Status: that is what clients expect of paths outside of the API. */
export function sendNotFound(exchange: Exchange): void {
  exchange.setHeader('X-Content-Type-Options', 'nosniff');
  exchange.send(404, TEXT, '404 page not found\n');
}
