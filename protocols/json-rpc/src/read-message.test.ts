import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonRpcMessage } from './json-rpc-message.ts';
import { printMessage } from './print-message.ts';
import { readMessage } from './read-message.ts';

describe('readMessage', () => {
  it.each<{ readonly text: string; readonly message: JsonRpcMessage }>([
    {
      text: '{"id":"echo","method":"echo","params":[]}',
      message: { kind: 'request', id: 'echo', method: 'echo', params: [] },
    },
    {
      text: '{"id":null,"method":"update3","params":[1]}',
      message: { kind: 'notification', method: 'update3', params: [1] },
    },
    { text: '{"method":"update","params":[]}', message: { kind: 'notification', method: 'update', params: [] } },
    { text: '{"id":1,"result":"text","error":null}', message: { kind: 'result', id: 1, result: 'text' } },
    { text: '{"id":1,"result":null,"error":null}', message: { kind: 'result', id: 1, result: null } },
    {
      text: '{"id":1,"result":null,"error":"no such bond\\n"}',
      message: { kind: 'error', id: 1, error: 'no such bond\n' },
    },
    { text: '{"id":1,"error":{"error":"e"}}', message: { kind: 'error', id: 1, error: { error: 'e' } } },
    { text: '{"id":2,"result":[9223372036854775807]}', message: { kind: 'result', id: 2, result: [2n ** 63n - 1n] } },
  ])('reads $text', ({ text, message }) => {
    expect(readMessage(text)).toEqual(message);
  });

  it.each([
    { text: '[]', code: 'not-a-message' },
    { text: '{}', code: 'not-a-message' },
    { text: '{"id":1}', code: 'not-a-message' },
    { text: '{"id":null,"result":1}', code: 'not-a-message' },
    { text: '{"id":1,"result":1,"error":"e"}', code: 'not-a-message' },
    { text: '{"id":1,"method":5,"params":[]}', code: 'not-a-message' },
    { text: '{"id":1,"method":"echo"}', code: 'not-a-message' },
    { text: '{"id":1,"method":"echo","params":{}}', code: 'not-a-message' },
    { text: '{"id":1,"method":"echo","params":[],"result":1}', code: 'not-a-message' },
    { text: '{"id":1,]', code: 'malformed' },
    { text: '{"id":1,"result":{"__proto__":1}}', code: 'malformed' },
  ])('refuses $text', ({ text, code }) => {
    expect(() => readMessage(text)).toThrow(expect.objectContaining({ code }));
  });

  it('reads back whatever was printed', () => {
    const json = fc.dictionary(
      fc.string({ maxLength: 5 }),
      fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null))),
    );
    const id = fc.oneof(fc.integer(), fc.string(), fc.bigInt({ min: 2n ** 60n, max: 2n ** 63n - 1n }));
    const message = fc.oneof(
      fc.record({ kind: fc.constant('request'), id, method: fc.string(), params: fc.array(id) }),
      fc.record({ kind: fc.constant('result'), id, result: json }),
    );
    fc.assert(
      fc.property(message, (original) => {
        expect(readMessage(printMessage(original as JsonRpcMessage))).toEqual(original);
      }),
      { numRuns: 200 },
    );
  });
});
