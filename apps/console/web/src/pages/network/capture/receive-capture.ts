import { countPackets, NO_PACKETS } from './count-packets.ts';

/** What has come of a capture so far. */
export interface CaptureProgress {
  readonly bytes: number;
  readonly packets: number;
}

/** A capture that has ended. */
export interface ReceivedCapture extends CaptureProgress {
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  /** Whether it came to the end that was asked for. */
  readonly isWhole: boolean;
}

/** Takes in the packets of an answer. One that breaks off gives what had come until then. */
export async function receiveCapture(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: (progress: CaptureProgress) => void,
): Promise<ReceivedCapture> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = body.getReader();
  let bytes = 0;
  let count = NO_PACKETS;
  for (;;) {
    const next = await reader.read().catch(() => undefined);
    // How it broke off says nothing: the agent's log does.
    if (next === undefined || next.done) return { parts, bytes, packets: count.packets, isWhole: next !== undefined };
    parts.push(next.value);
    bytes += next.value.length;
    count = countPackets(count, next.value);
    onProgress({ bytes, packets: count.packets });
  }
}
