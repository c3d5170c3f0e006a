import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import type { TableSource } from '../table/make-table.ts';
import { plainFrames, WatchFrames, type WatchSource } from './watch-frames.ts';
import { ChunkFraming } from './watch-stream.ts';

describe('WatchFrames', () => {
  it('writes one line per event', () => {
    const events = [event('ADDED', 'a'), event('DELETED', 'b')];

    const text = new WatchFrames().batch(events).toString();

    expect(text).toBe(
      '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n{"type":"DELETED","object":{"metadata":{"name":"b"}}}\n',
    );
    expect(plainFrames(events).toString()).toBe(text);
  });

  it('writes what many watchers get once', () => {
    const frames = new WatchFrames();
    const [first, second] = [event('ADDED', 'a'), event('MODIFIED', 'a')];

    const isShared = [
      frames.batch([first]) === frames.batch([first]),
      frames.batch([first, second]) === frames.batch([first, second]),
      frames.batch([second]) === frames.batch([first]),
    ];

    expect(isShared).toEqual([true, true, false]);
  });
});

it('frames the same bytes as the same chunk', () => {
  const framing = new ChunkFraming();
  const bytes = Buffer.from('x'.repeat(26));

  const chunk = framing.chunk(bytes);

  expect(chunk.toString()).toBe(`1a\r\n${'x'.repeat(26)}\r\n`);
  expect(framing.chunk(bytes)).toBe(chunk);
});

function event(type: WatchSource['type'], name: string): WatchSource {
  const value: JsonObject = { metadata: { name } };
  const bytes = Buffer.from(JSON.stringify(value));
  const object: TableSource = { value, bytes, byteLength: bytes.length };
  return { type, object };
}
