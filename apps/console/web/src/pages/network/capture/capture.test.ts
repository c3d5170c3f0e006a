import { expect, it } from 'vitest';

import { captureBody, captureFileName, MOST_CAPTURE_BYTES, placeCaptureProblems } from './capture-form.ts';
import { countPackets, NO_PACKETS } from './count-packets.ts';
import { receiveCapture } from './receive-capture.ts';

const FORM = { target: 'port', name: 'tap1', filter: '', seconds: '10', packets: '' } as const;

it.each([
  [{}, { port: 'tap1', seconds: 10 }],
  [{ target: 'bridge', name: 'br-int' } as const, { bridge: 'br-int', seconds: 10 }],
  [
    { filter: ' tcp port 443 ', packets: '5' },
    { port: 'tap1', filter: 'tcp port 443', packets: 5, seconds: 10 },
  ],
  [{ seconds: 'soon' }, { port: 'tap1', seconds: 'soon' }],
  [{ seconds: '' }, { port: 'tap1' }],
])('a form with %j asks for %j', (changes, body) => {
  expect(captureBody({ ...FORM, ...changes })).toEqual({ bytes: MOST_CAPTURE_BYTES, ...body });
});

it('puts what is wrong beside the field that it is about', () => {
  const problems = [
    { field: 'port', message: 'is none' },
    { field: 'seconds', message: 'is too long' },
    { field: 'bytes', message: 'is too many' },
  ];

  expect(placeCaptureProblems(problems)).toEqual({
    fields: { name: 'is none', seconds: 'is too long' },
    others: ['bytes: is too many'],
  });
});

it('names a file that can be saved anywhere', () => {
  const at = new Date('2026-01-02T03:04:05.678Z');

  expect(captureFileName('n1', 'tap/1 x', at)).toBe('n1-tap_1_x-20260102T030405.pcap');
});

it.each([1, 7, 16, 24, 40, 1_000])('counts packets of a file that comes %i bytes at a time', (size) => {
  const file = pcap([60, 0, 1_500]);
  const chunks = Array.from({ length: Math.ceil(file.length / size) }, (_, at) =>
    file.slice(at * size, (at + 1) * size),
  );

  const count = chunks.reduce((before, chunk) => countPackets(before, chunk), NO_PACKETS);

  expect(count.packets).toBe(3);
});

it('is taken in bit by bit to its end', async () => {
  const told: number[] = [];
  const file = pcap([60, 60]);

  const capture = await receiveCapture(streamOf([file.slice(0, 100), file.slice(100)]), ({ packets }) =>
    told.push(packets),
  );

  expect(capture).toMatchObject({ bytes: file.length, packets: 2, isWhole: true });
  expect(told).toEqual([1, 2]);
});

it('that breaks off is kept as far as it came, and not taken for whole', async () => {
  const stream = streamOf([pcap([60])], new Error('the connection broke'));

  expect(await receiveCapture(stream, () => undefined)).toMatchObject({ packets: 1, isWhole: false });
});

function streamOf(chunks: readonly Uint8Array<ArrayBuffer>[], error?: Error): ReadableStream<Uint8Array<ArrayBuffer>> {
  const left = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next !== undefined) controller.enqueue(next);
      else if (error === undefined) controller.close();
      else controller.error(error);
    },
  });
}

/** A file with packets of these lengths. */
function pcap(lengths: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(24 + lengths.reduce((sum, length) => sum + 16 + length, 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0xa1b2c3d4, true);
  let at = 24;
  for (const length of lengths) {
    view.setUint32(at + 8, length, true);
    at += 16 + length;
  }
  return bytes;
}
