import type { XdrReader } from '@smalt/xdr';

import { LibvirtError } from '../libvirt-error.ts';

/** The length word in front of every message; it counts itself. */
export const LENGTH_BYTES = 4;

/** Length word and header: the shortest message there is. */
export const HEADER_BYTES = 28;

/** libvirt's limit of 32 MiB does not count the length word. */
export const MAX_MESSAGE_BYTES: number = 33_554_432 + LENGTH_BYTES;

/** The largest packet libvirt itself sends on a stream, and so the largest that every daemon takes. */
export const MAX_STREAM_PACKET_BYTES = 262_120;

export const messageType = { call: 0, reply: 1, message: 2, stream: 3, streamHole: 6 } as const;

export const messageStatus = { ok: 0, error: 1, continue: 2 } as const;

/** All programs of the protocol are still at their first version. */
export const PROGRAM_VERSION = 1;

export const remoteProgram = 0x2000_8086;
export const qemuProgram = 0x2000_8087;
const lxcProgram = 0x0006_8000;
const adminProgram = 0x0690_0690;
export const keepaliveProgram = 0x6b65_6570;

/** What either side may say to the other to hear whether it lives. */
export const keepaliveProcedure = { ping: 1, pong: 2 } as const;

/** What a message says before its payload. */
export interface MessageHeader {
  readonly program: number;
  readonly procedure: number;
  readonly type: number;
  readonly serial: number;
  readonly status: number;
}

/** All of a message that keeps a connection alive: it has no payload. */
export function keepaliveHeader(what: keyof typeof keepaliveProcedure): MessageHeader {
  const procedure = keepaliveProcedure[what];
  return { program: keepaliveProgram, procedure, type: messageType.message, serial: 0, status: messageStatus.ok };
}

/**
 * Reads the header behind the length word; the reader then stands at the payload. Throws `protocol` for a program or
 * version that this client never asked to hear from: then nothing that follows can be trusted.
 */
export function readHeader(reader: XdrReader): MessageHeader {
  const program = reader.uint32();
  const version = reader.uint32();
  if (version !== PROGRAM_VERSION || !isKnownProgram(program)) {
    const what = `program 0x${program.toString(16)} version ${version}`;
    throw new LibvirtError('protocol', `the daemon sent a message of ${what}, which does not exist`);
  }
  return {
    program,
    procedure: reader.int32(),
    type: reader.uint32(),
    serial: reader.uint32(),
    status: reader.uint32(),
  };
}

// No set: every message that comes in is asked about.
function isKnownProgram(program: number): boolean {
  return (
    program === remoteProgram ||
    program === keepaliveProgram ||
    program === qemuProgram ||
    program === lxcProgram ||
    program === adminProgram
  );
}
