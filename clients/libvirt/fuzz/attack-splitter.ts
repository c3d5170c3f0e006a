import { buildMessage } from '../src/fake-daemon/build-message.ts';
import { isLibvirtError } from '../src/libvirt-error.ts';
import { FrameSplitter } from '../src/rpc/frame-splitter.ts';
import { MAX_MESSAGE_BYTES } from '../src/rpc/message.ts';
import { Finding } from './finding.ts';
import { mutate, randomPayload } from './random-payload.ts';
import { RandomSource } from './random-source.ts';

/** Streams of bytes into the splitter: each is cut into messages or refused, and nothing is kept that did not come. */
export async function attackSplitter(frames: number, seed: number, onProgress: (done: number) => void): Promise<void> {
  const random = new RandomSource(seed);
  let splitter = new FrameSplitter(checkFrame);
  let received = 0;
  for (let frame = 0; frame < frames; frame++) {
    const message = buildMessage({ serial: frame, payload: randomPayload(random) });
    const bytes = random.oneIn(50) ? mutate(random, message) : message;
    received += bytes.length;
    try {
      const middle = random.integer(bytes.length + 1);
      splitter.push(bytes.subarray(0, middle));
      splitter.push(bytes.subarray(middle));
    } catch (error) {
      if (!isLibvirtError(error, 'protocol'))
        throw error instanceof Finding ? error : new Finding(`the splitter failed with ${String(error)}`);
      splitter = new FrameSplitter(checkFrame);
      received = 0;
    }
    if (splitter.kept > received) throw new Finding(`frame ${frame}: ${splitter.kept} bytes kept of ${received}`);
    if (frame % 50_000 === 0) onProgress(frame);
  }
}

function checkFrame(bytes: Buffer, start: number, end: number): void {
  const length = bytes.readUInt32BE(start);
  if (length !== end - start || length > MAX_MESSAGE_BYTES)
    throw new Finding(`a message of ${end - start} claims ${length}`);
}
