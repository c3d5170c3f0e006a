import { buildMessage } from '../src/fake-daemon/build-message.ts';
import { eventMessages } from '../src/generated/events.gen.ts';
import { procedures } from '../src/generated/procedures.gen.ts';
import { writeDomain } from '../src/generated/structs.gen.ts';
import { keepaliveProgram, messageStatus, messageType, qemuProgram, remoteProgram } from '../src/rpc/message.ts';
import { correctReply } from './correct-reply.ts';
import { CORRECT_EVENT, type Listener } from './event-tally.ts';
import type { MadeCall } from './memory-socket.ts';
import { mutate, randomPayload } from './random-payload.ts';
import type { RandomSource } from './random-source.ts';

const PROGRAMS = [remoteProgram, qemuProgram, keepaliveProgram, 0x0690_0690] as const;
const domain = { uuid: '00000000-0000-4000-8000-000000000001', id: 1 };
const LONGEST_NAME_BYTES = 60_000;

/** What a daemon knows of a client: the calls it has not answered, the streams that are open, and who listens. */
export interface DaemonState {
  readonly unanswered: MadeCall[];
  readonly streams: MadeCall[];
  readonly listeners: readonly Listener[];
  /** How many correct events were made so far. */
  correctEvents: number;
}

/** What must follow from a message that arrives whole. */
export type Consequence =
  | { readonly kind: 'none' }
  | { readonly kind: 'reply'; readonly serial: number; readonly isRight: (outcome: unknown) => boolean }
  | { readonly kind: 'event'; readonly detail: number | undefined };

export interface RandomMessage {
  readonly bytes: Buffer;
  readonly consequence: Consequence;
  /** Whether the client still knows where the next message begins. */
  readonly isWhole: boolean;
}

const nothing: Consequence = { kind: 'none' };

/** A message that a daemon might send, or, rarely, one that it never should. */
export function randomMessage(random: RandomSource, state: DaemonState): RandomMessage {
  if (random.oneIn(300)) return { bytes: oddMessage(random), consequence: nothing, isWhole: true };
  const message = plausibleMessage(random, state);
  if (!random.oneIn(300)) return message;
  return { bytes: mutate(random, message.bytes), consequence: nothing, isWhole: false };
}

function plausibleMessage(random: RandomSource, state: DaemonState): RandomMessage {
  const stream = random.oneIn(2) ? state.streams[random.integer(state.streams.length)] : undefined;
  if (stream !== undefined) return whole(streamMessage(random, stream));
  if (random.oneIn(4) && state.unanswered.length > 0) return reply(random, state);
  if (random.oneIn(8))
    return whole(buildMessage({ program: keepaliveProgram, procedure: 1, type: messageType.message }));
  return random.oneIn(3) ? correctEvent(random, state) : randomEvent(random, state);
}

function whole(bytes: Buffer, consequence: Consequence = nothing): RandomMessage {
  return { bytes, consequence, isWhole: true };
}

function reply(random: RandomSource, state: DaemonState): RandomMessage {
  const [call] = state.unanswered.splice(random.integer(state.unanswered.length), 1);
  if (call === undefined) return whole(Buffer.alloc(0));
  const { serial, procedure } = call.header;
  const isStream = procedure === procedures.storageVolDownload.number;
  if (isStream) state.streams.push(call);
  if (isStream && !random.oneIn(3)) return whole(buildMessage({ serial, procedure }));
  const correct = random.oneIn(2) ? correctReply(random, procedure) : undefined;
  if (correct === undefined) {
    return whole(buildMessage({ serial, procedure, status: random.integer(2), payload: randomPayload(random) }));
  }
  const { payload, isRight } = correct;
  return whole(buildMessage({ serial, procedure, payload }), { kind: 'reply', serial, isRight });
}

function correctEvent(random: RandomSource, state: DaemonState): RandomMessage {
  const name = random.oneIn(10) ? 'x'.repeat(random.integer(LONGEST_NAME_BYTES)) : 'web';
  const detail = state.correctEvents++;
  const { number, program } = eventMessages.domainEventCallbackLifecycle;
  const callbackID = state.listeners.find(({ message }) => message.number === number)?.callbackID ?? 0;
  const bytes = buildMessage({
    program,
    procedure: number,
    type: messageType.message,
    payload: (writer) => {
      writer.int32(callbackID);
      writeDomain(writer, { ...domain, name });
      writer.int32(CORRECT_EVENT);
      writer.int32(detail);
    },
  });
  return whole(bytes, { kind: 'event', detail });
}

/** To a listener, with a payload that only now and then makes sense. */
function randomEvent(random: RandomSource, state: DaemonState): RandomMessage {
  const { message, callbackID } = random.pick(state.listeners);
  const prefix = Buffer.alloc(callbackID === undefined ? 0 : 4);
  if (callbackID !== undefined) prefix.writeInt32BE(callbackID);
  const bytes = buildMessage({
    program: message.program,
    procedure: message.number,
    type: messageType.message,
    payload: Buffer.concat([prefix, randomPayload(random)]),
  });
  return whole(bytes, { kind: 'event', detail: undefined });
}

function streamMessage(random: RandomSource, stream: MadeCall): Buffer {
  const { serial, procedure } = stream.header;
  const type = random.oneIn(3) ? messageType.streamHole : messageType.stream;
  const status = random.oneIn(10) ? random.integer(4) : messageStatus.continue;
  return buildMessage({ serial, procedure, type, status, payload: randomPayload(random) });
}

function oddMessage(random: RandomSource): Buffer {
  return buildMessage({
    program: random.pick(PROGRAMS),
    procedure: random.integer(500),
    type: random.integer(8),
    serial: random.integer(3000),
    status: random.integer(4),
    payload: randomPayload(random),
  });
}
