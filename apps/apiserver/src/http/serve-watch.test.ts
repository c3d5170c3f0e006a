import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { builtInResources } from '@smalt/kubernetes-api';
import { MetricsRegistry } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { expiredError } from '../errors/make-status-error.ts';
import type { EventSink, WatchSubscription } from '../registry/watch-objects.ts';
import { StoredObject } from '../store/stored-object.ts';
import { Exchange } from './exchange.ts';
import { negotiate } from './negotiate.ts';
import { parseRequestInfo } from './request-info.ts';
import { RequestMetrics } from './request-metrics.ts';
import { serveWatch, type WatchServing } from './serve-watch.ts';
import { WatchFrames } from './watch-frames.ts';
import { ChunkFraming } from './watch-stream.ts';

it('answers a watch from too long ago with 200 and an event that says so', async () => {
  await using server = await serve(() => Promise.reject(expiredError('too old resource version: 1 (7)')));

  const answer = await fetch(`${server.url}/api/v1/configmaps?watch=true&resourceVersion=1`);

  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    type: 'ERROR',
    object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version: 1 (7)' },
  });
});

it('sends what there was before what happens, and closes the subscription at the end', async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await serve((sink) => {
    // Told even before the answer has begun.
    sink([{ type: 'MODIFIED', object: object('b') }]);
    return Promise.resolve({
      initial: [{ type: 'ADDED', object: object('a') }],
      bookmark: () => ({ type: 'BOOKMARK', object: object('mark') }),
      close: () => closed.resolve(),
    });
  });

  const answer = await fetch(`${server.url}/api/v1/configmaps?watch=true&timeoutSeconds=1`);
  const lines = (await answer.text()).trim().split('\n');

  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { type: 'ADDED', object: { metadata: { name: 'a' } } },
    { type: 'MODIFIED', object: { metadata: { name: 'b' } } },
  ]);
  await closed.promise;
  expect(server.metrics()).toContain(
    `apiserver_watch_events_sizes_sum{group="",version="v1",resource="configmaps"} ${2 * object('a').byteLength}\n`,
  );
});

it('lets go of the subscription when the client goes away', async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await serve(() =>
    Promise.resolve({
      initial: [],
      bookmark: () => ({ type: 'BOOKMARK', object: object('mark') }),
      close: () => closed.resolve(),
    }),
  );
  const client = new AbortController();
  await fetch(`${server.url}/api/v1/configmaps?watch=true`, { signal: client.signal });

  client.abort();

  await expect(closed.promise).resolves.toBeUndefined();
});

function object(name: string): StoredObject {
  const bytes = Buffer.from(JSON.stringify({ metadata: { name } }));
  return new StoredObject({ key: `default/${name}`, resourceVersion: 1, bytes });
}

interface Serving extends AsyncDisposable {
  readonly url: string;
  readonly metrics: () => string;
}

async function serve(watch: (sink: EventSink) => Promise<WatchSubscription>): Promise<Serving> {
  const resource = builtInResources().find(({ plural }) => plural === 'configmaps');
  if (resource === undefined) throw new Error('there are no config maps');
  const registry = new MetricsRegistry();
  const deps: WatchServing = {
    watch: (_resource, _options, sink) => watch(sink),
    frames: new WatchFrames(),
    framing: new ChunkFraming(),
    metrics: new RequestMetrics(registry),
    now: () => new Date(),
    random: () => 0,
  };
  const server = createServer((request, response) => {
    const controller = new AbortController();
    response.once('close', () => controller.abort());
    const exchange = new Exchange(request, response, 'id', controller.signal);
    const info = parseRequestInfo('GET', request.url ?? '/');
    if (info === undefined) throw new Error('the path cannot be read');
    const choice = negotiate(undefined, { hasProtobuf: false, hasTransforms: true });
    serveWatch(deps, { exchange, info, resource, choice }).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    metrics: () => registry.expose(),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
