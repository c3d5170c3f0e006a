import { OvsAgentError } from '../../ovs-agent-error.ts';
import type { Answered, Call } from '../server/call.ts';
import type { CaptureEnd, Captures, RunningCapture } from './captures.ts';
import { readCaptureRequest, type CaptureMost, type CaptureRequest } from './capture-request.ts';

/** How long it may take until packets are listened to. */
const START_MS = 15_000;
/** How long the caller may take for the last packets after the end. */
const LAST_PACKETS_MS = 15_000;

/** Answers `POST /v1/captures` with the packets as they come. One that ends before its limits ends with the connection. */
export async function handleCapture(captures: Captures, most: CaptureMost, call: Call): Promise<Answered> {
  const request = readCaptureRequest(call.body, most);
  const capture = await captures.start(request, AbortSignal.any([call.signal, AbortSignal.timeout(START_MS)]));
  const until = AbortSignal.any([call.signal, AbortSignal.timeout(request.seconds * 1_000 + LAST_PACKETS_MS)]);
  const headers = {
    'smalt-capture': capture.id,
    'smalt-capture-device': encodeURIComponent(capture.device),
    trailer: 'smalt-capture-end, smalt-capture-packets, smalt-capture-dropped',
  };
  const chunks = packetsOf(capture, request, until);
  const type = 'application/vnd.tcpdump.pcap';
  return { reply: { kind: 'stream', type, headers, chunks, until }, resources: capture };
}

async function* packetsOf(
  capture: RunningCapture,
  { target }: CaptureRequest,
  until: AbortSignal,
): AsyncGenerator<Buffer, Readonly<Record<string, string>>> {
  const end = yield* capture.packets(until);
  requireComplete(end);
  return {
    'smalt-capture-end': end.by,
    'smalt-capture-packets': String(end.packets),
    'smalt-capture-dropped': String(end.dropped ?? 'unknown'),
    'smalt-capture-target': encodeURIComponent(`${target.kind} ${target.name}`),
  };
}

/** Trailers are read by few; that an answer breaks off is noticed by everybody. */
function requireComplete({ by, packets, words }: CaptureEnd): void {
  if (by !== 'tcpdump' && by !== 'mirror') return;
  const why = by === 'mirror' ? 'somebody has removed its mirror' : `tcpdump has ended: ${words || 'without a word'}`;
  throw new OvsAgentError('unavailable', `the capture ended early, after ${packets} packets: ${why}`);
}
