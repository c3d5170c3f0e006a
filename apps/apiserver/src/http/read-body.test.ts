import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { PassThrough } from 'node:stream';

import { expect, it } from 'vitest';

import { startTestServer, type TestServer } from '../fixtures/test-server.ts';
import { readBody } from './read-body.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const TIMED_OUT = 'Timeout: request did not complete within the allotted timeout';

it('reads a body to its end', async () => {
  const request = new PassThrough();
  request.write('a');
  request.end('b');

  expect((await readBody(request, new AbortController().signal)).toString()).toBe('ab');
});

it('stops at a body that is too large', async () => {
  const request = new PassThrough();
  request.end('abc');

  await expect(readBody(request, new AbortController().signal, 2)).rejects.toThrow('limit is 2');
});

it('gives up on a body when the request has taken too long, and takes what is left off the wire', async () => {
  const request = new PassThrough();
  const controller = new AbortController();
  request.write('a');
  const body = readBody(request, controller.signal);

  controller.abort(new Error('too long'));

  await expect(body).rejects.toThrow('too long');
  expect(request.readableFlowing).toBe(true);
  await expect(readBody(request, controller.signal)).rejects.toThrow('too long');
});

it('answers 504 when a body does not end, resets the stream, and has room again', async () => {
  await using api = await startTestServer({ requestTimeoutMs: 200, maxInFlight: 3 });
  using session = http2(api);
  const unfinished = [1, 2, 3].map(() => post(api, session.session));

  const answers = await Promise.all(unfinished.map(answerOf));

  const expected = { code: 504, message: TIMED_OUT, resetCode: constants.NGHTTP2_NO_ERROR };
  expect(answers).toEqual([expected, expected, expected]);
  expect((await api.call('GET', CONFIG_MAPS)).code).toBe(200);
});

it('closes an HTTP/1.1 connection whose body does not end', async () => {
  await using api = await startTestServer({ requestTimeoutMs: 200 });
  const { url, ca, adminToken } = api.server;
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };

  const answer = await new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, ca, agent: false } as const;
    const request = httpsRequest(`${url}${CONFIG_MAPS}`, options, (response) => {
      response.resume();
      response.once('close', () => resolve({ code: response.statusCode, connection: response.headers.connection }));
    });
    request.on('error', reject);
    request.write('{');
  });

  expect(answer).toEqual({ code: 504, connection: 'close' });
});

function http2({ server }: TestServer): Disposable & { readonly session: ClientHttp2Session } {
  const session = connect(server.url, { ca: server.ca });
  return { session, [Symbol.dispose]: () => session.destroy() };
}

function post({ server }: TestServer, session: ClientHttp2Session): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': CONFIG_MAPS,
    authorization: `Bearer ${server.adminToken}`,
    'content-type': 'application/json',
  });
  stream.write('{');
  return stream;
}

function answerOf(stream: ClientHttp2Stream): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let code: unknown;
    let text = '';
    stream.on('response', ({ ':status': status }) => (code = status));
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    stream.on('error', reject);
    stream.once('close', () => {
      const { message }: { message?: unknown } = JSON.parse(text === '' ? '{}' : text);
      resolve({ code, message, resetCode: stream.rstCode });
    });
  });
}
