import { buildMessage } from '../src/fake-daemon/build-message.ts';
import { eventMessages } from '../src/generated/events.gen.ts';
import { keepaliveProgram, messageStatus, messageType, qemuProgram, remoteProgram } from '../src/rpc/message.ts';
import { mutate, randomPayload } from './random-payload.ts';
import type { RandomSource } from './random-source.ts';

const PROGRAMS = [remoteProgram, qemuProgram, keepaliveProgram, 0x0690_0690] as const;
const events = Object.values(eventMessages);

/** A call that was made, as the daemon would see it. */
export interface MadeCall {
  readonly serial: number;
  readonly procedure: number;
  readonly isStream: boolean;
}

/** What a daemon knows of a client: the calls it has not answered, and the streams that are open. */
export interface DaemonState {
  readonly unanswered: MadeCall[];
  readonly streams: MadeCall[];
}

/** A message that a daemon might send, or, rarely, one that it never should. */
export function randomMessage(random: RandomSource, state: DaemonState): Buffer {
  if (random.oneIn(300)) return oddMessage(random, randomPayload(random));
  const message = plausibleMessage(random, state);
  return random.oneIn(300) ? mutate(random, message) : message;
}

function plausibleMessage(random: RandomSource, state: DaemonState): Buffer {
  const payload = randomPayload(random);
  const stream = random.oneIn(2) ? state.streams[random.integer(state.streams.length)] : undefined;
  if (stream !== undefined) return streamMessage(random, stream, payload);
  if (random.oneIn(4) && state.unanswered.length > 0) return reply(random, state, payload);
  if (random.oneIn(4)) return buildMessage({ program: keepaliveProgram, procedure: 1, type: messageType.message });
  const event = random.pick(events);
  return buildMessage({ program: event.program, procedure: event.number, type: messageType.message, payload });
}

function reply(random: RandomSource, state: DaemonState, payload: Buffer): Buffer {
  const [call] = state.unanswered.splice(random.integer(state.unanswered.length), 1);
  if (call === undefined) return Buffer.alloc(0);
  const { serial, procedure } = call;
  if (call.isStream) state.streams.push(call);
  if (call.isStream && !random.oneIn(3)) return buildMessage({ serial, procedure });
  return buildMessage({ serial, procedure, status: random.integer(2), payload });
}

function streamMessage(random: RandomSource, stream: MadeCall, payload: Buffer): Buffer {
  const { serial, procedure } = stream;
  const type = random.oneIn(3) ? messageType.streamHole : messageType.stream;
  const status = random.oneIn(10) ? random.integer(4) : messageStatus.continue;
  return buildMessage({ serial, procedure, type, status, payload });
}

function oddMessage(random: RandomSource, payload: Buffer): Buffer {
  return buildMessage({
    program: random.pick(PROGRAMS),
    procedure: random.integer(500),
    type: random.integer(8),
    serial: random.integer(3000),
    status: random.integer(4),
    payload,
  });
}
