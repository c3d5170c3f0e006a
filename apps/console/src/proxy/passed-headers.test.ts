import { expect, it } from 'vitest';

import { answerHeaders, requestHeaders, upgradeHeaders } from './passed-headers.ts';

it('passes on of a request what is about its content', () => {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/merge-patch+json',
    'content-length': '2',
    cookie: 'smalt_session=secret',
    authorization: 'Bearer other',
    'impersonate-user': 'admin',
    'Impersonate-Group': 'system:masters',
    'x-remote-user': 'admin',
    'x-forwarded-for': '10.0.0.1',
    connection: 'content-type',
    'transfer-encoding': 'chunked',
    host: 'console.example',
    origin: 'https://console.example',
  };

  expect(requestHeaders(headers)).toEqual({
    accept: 'application/json',
    'content-type': 'application/merge-patch+json',
  });
});

it('passes on of an answer nothing that speaks to the browser', () => {
  const headers = {
    'content-type': 'application/json',
    warning: '299 - "old"',
    'set-cookie': ['a=b'],
    'access-control-allow-origin': '*',
    location: 'https://evil.example',
    'www-authenticate': 'Basic',
    'content-security-policy': 'none',
    'service-worker-allowed': '/',
  };

  expect(answerHeaders(headers)).toEqual({ 'content-type': 'application/json', warning: '299 - "old"' });
});

it('passes on subprotocols, but no token in their place, and no extensions', () => {
  const headers = {
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'sec-websocket-version': '13',
    'sec-websocket-extensions': 'permessage-deflate',
    'sec-websocket-protocol': 'base64url.bearer.authorization.k8s.io.eA, plain.kubevirt.io',
    connection: 'keep-alive, Upgrade',
    upgrade: 'websocket',
  };

  expect(upgradeHeaders(headers)).toEqual({
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'sec-websocket-version': '13',
    'sec-websocket-protocol': 'plain.kubevirt.io',
    connection: 'Upgrade',
    upgrade: 'websocket',
  });
});
