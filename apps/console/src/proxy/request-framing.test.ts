import { describe, expect, it } from 'vitest';

import { decideFraming, framingHeaders } from './request-framing.ts';

const CHUNKED = { 'transfer-encoding': 'chunked' };

describe('the end of a request', () => {
  it.each([
    { method: 'GET', headers: {}, passed: {} },
    { method: 'HEAD', headers: { 'content-length': '0' }, passed: {} },
    { method: 'POST', headers: { 'content-length': '12' }, passed: { 'content-length': '12' } },
    { method: 'DELETE', headers: {}, passed: { 'content-length': '0' } },
    { method: 'DELETE', headers: CHUNKED, passed: CHUNKED },
    { method: 'PATCH', headers: { 'transfer-encoding': 'Chunked' }, passed: CHUNKED },
  ])('is told by $passed for $method with $headers', ({ method, headers, passed }) => {
    expect(framingHeaders(decideFraming(method, headers))).toEqual(passed);
  });

  it.each([
    { method: 'GET', headers: { 'content-length': '1' }, field: 'Content-Length' },
    { method: 'HEAD', headers: CHUNKED, field: 'Transfer-Encoding' },
    { method: 'GET', headers: CHUNKED, field: 'Transfer-Encoding' },
    { method: 'POST', headers: { ...CHUNKED, 'content-length': '4' }, field: 'Transfer-Encoding' },
    { method: 'POST', headers: { 'transfer-encoding': 'gzip, chunked' }, field: 'Transfer-Encoding' },
    { method: 'POST', headers: { 'transfer-encoding': 'chunked, chunked' }, field: 'Transfer-Encoding' },
    { method: 'POST', headers: { 'content-length': '+4' }, field: 'Content-Length' },
    { method: 'POST', headers: { 'content-length': '4, 4' }, field: 'Content-Length' },
    { method: 'POST', headers: { 'content-length': '' }, field: 'Content-Length' },
  ])('is not clear for $method with $headers, which is refused', ({ method, headers, field }) => {
    expect(() => decideFraming(method, headers)).toThrow(expect.objectContaining({ code: 'bad-request', field }));
  });
});
