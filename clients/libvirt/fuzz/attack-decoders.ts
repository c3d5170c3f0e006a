import { isXdrError, XdrReader } from '@smalt/xdr';

import { eventMessages } from '../src/generated/events.gen.ts';
import { procedures } from '../src/generated/procedures.gen.ts';
import { readRemoteError } from '../src/rpc/read-error.ts';
import { Finding } from './finding.ts';
import { mutate, randomPayload } from './random-payload.ts';
import { RandomSource } from './random-source.ts';

const SLOW_MS = 1000;

/** Bytes into every decoder: each must give a value or an XdrError, and soon. */
export async function attackDecoders(frames: number, seed: number, onProgress: (done: number) => void): Promise<void> {
  const random = new RandomSource(seed);
  const decoders = allDecoders();
  let payload = randomPayload(random);
  for (let frame = 0; frame < frames; frame++) {
    payload = random.oneIn(3) ? mutate(random, payload) : randomPayload(random);
    const [name, decode] = random.pick(decoders);
    const started = performance.now();
    const failure = failureOf(decode, payload);
    if (failure !== undefined) throw new Finding(`${name}: ${failure}, payload ${payload.toString('hex')}`);
    if (performance.now() - started > SLOW_MS) throw new Finding(`${name} is slow, payload ${payload.toString('hex')}`);
    if (frame % 50_000 === 0) onProgress(frame);
  }
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
