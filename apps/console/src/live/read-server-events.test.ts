import { Readable } from 'node:stream';

import { assert, asyncProperty, integer } from 'fast-check';
import { expect, it } from 'vitest';

import { readServerEvents } from './read-server-events.ts';

const TEXT = ': hello\n\nevent: x\ndata: {"a":"é"}\n\ndata:one\r\ndata: two\r\n\r\n: beat\n\nid: 7\n\ndata: cut off';

it('reads the data of events, however they are cut', async () => {
  await assert(
    asyncProperty(integer({ min: 1, max: 20 }), async (size) => {
      const bytes = Buffer.from(TEXT);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );

      const events = await Readable.from(readServerEvents(Readable.from(chunks))).toArray();

      expect(events).toEqual(['{"a":"é"}', 'one\ntwo']);
    }),
  );
});
