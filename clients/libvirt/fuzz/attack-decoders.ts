import { isXdrError, XdrReader } from '@smalt/xdr';

import { eventMessages } from '../src/generated/events.gen.ts';
import { procedures } from '../src/generated/procedures.gen.ts';
import { readRemoteError } from '../src/rpc/read-error.ts';
import { Finding } from './finding.ts';
import { longPayload, mutate, randomPayload } from './random-payload.ts';
import { RandomSource } from './random-source.ts';

const SLOW_MS = 1000;

/** Bytes into every decoder: each must give a value or an XdrError, and soon. */
export async function attackDecoders(frames: number, seed: number, onProgress: (done: number) => void): Promise<void> {
  const random = new RandomSource(seed);
  const decoders = allDecoders();
  let payload = randomPayload(random);
  for (let frame = 0; frame < frames; frame++) {
    payload = nextPayload(random, payload);
    const [name, decode] = random.pick(decoders);
    const started = performance.now();
    const failure = failureOf(decode, payload);
    if (failure !== undefined) throw new Finding(`${name}: ${failure}, payload ${hexOf(payload)}`);
    if (performance.now() - started > SLOW_MS) throw new Finding(`${name} is slow, payload ${hexOf(payload)}`);
    if (frame % 50_000 === 0) onProgress(frame);
  }
}

function nextPayload(random: RandomSource, last: Buffer): Buffer {
  if (random.oneIn(100)) return longPayload(random);
  return random.oneIn(3) ? mutate(random, last) : randomPayload(random);
}

type Decode = (reader: XdrReader) => unknown;

function allDecoders(): [string, Decode][] {
  return [
    ...Object.values(procedures).map((procedure): [string, Decode] => [procedure.name, procedure.readResult]),
    ...Object.values(eventMessages).map((message): [string, Decode] => [message.name, message.read]),
    ['error', (reader) => readRemoteError(reader)],
  ];
}

function failureOf(decode: Decode, payload: Buffer): string | undefined {
  try {
    decode(new XdrReader(payload));
    return undefined;
  } catch (error) {
    return isXdrError(error) ? undefined : String(error);
  }
}

/** Enough of the payload to know it by; the seed makes all of it again. */
function hexOf(payload: Buffer): string {
  const hex = payload.toString('hex', 0, 2048);
  return payload.length > 2048 ? `${hex}… of ${payload.length} bytes` : hex;
}
