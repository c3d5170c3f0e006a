import { readFile } from 'node:fs/promises';

import { isLogin, isVersionRequest, sendJson, startFakeCloud, type FakeCloud } from './fake-cloud.ts';

/** What a real service was asked, and answered. */
export interface Recording {
  readonly request: { readonly method: string; readonly url: string; readonly body: unknown };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
}

export async function recording(name: string): Promise<Recording> {
  const text = await readFile(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own files, and a test fails if they are not so
  return JSON.parse(text) as Recording;
}

/** A cloud that gives a recorded answer to everything but logins and questions for versions. */
export async function replay(name: string): Promise<FakeCloud> {
  const { response: recorded } = await recording(name);
  return await startFakeCloud((request, response) => {
    if (isLogin(request) || isVersionRequest(request)) return 'as-usual';
    const headers = recorded.headers['X-Openstack-Request-Id'];
    const body = recorded.body ?? undefined;
    return sendJson(
      response,
      recorded.status,
      body,
      headers === undefined ? {} : { 'x-openstack-request-id': headers },
    );
  });
}

/** A recorded request, to compare with what was asked. */
export async function recordedRequest(name: string): Promise<unknown> {
  const { request } = await recording(name);
  const url = new URL(request.url);
  return { method: request.method, path: url.pathname, query: sorted(url.searchParams), body: request.body };
}

/** The first request to a service. */
export function askedRequest({ requests: [request] }: FakeCloud): unknown {
  const body: unknown = request?.body === '' ? null : JSON.parse(request?.body ?? 'null');
  return { method: request?.method, path: request?.path, query: sorted(request?.query), body };
}

function sorted(query: URLSearchParams | undefined): readonly (readonly [string, string])[] {
  return [...(query ?? [])].toSorted(([a], [b]) => a.localeCompare(b));
}
