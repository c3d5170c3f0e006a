import type { XdrReader, XdrWriter } from '@smalt/xdr';

/** One remote procedure: where it lives and how its arguments and result go over the wire. */
export interface Procedure<Args, Result> {
  /** The RPC program, 0x20008086 for all but the hypervisor-specific ones. */
  readonly program: number;
  readonly number: number;
  /** As in the client's method: `domainGetInfo`. */
  readonly name: string;
  /** Whether the daemon serves it even when all of its ordinary workers are busy. */
  readonly isHighPriority?: boolean;
  /** Whether file descriptors go along, which Node.js cannot pass over a socket. */
  readonly passesFileDescriptors?: boolean;
  readonly writeArgs: (writer: XdrWriter, args: Args) => void;
  readonly readResult: (reader: XdrReader) => Result;
}

/** A procedure whose call opens a stream, and the directions in which data may flow. */
export interface StreamProcedure<Args, Result> extends Procedure<Args, Result> {
  readonly stream: 'read' | 'write' | 'both';
}

/** A message the daemon sends unasked. */
export interface EventMessage<Payload> {
  readonly program: number;
  readonly number: number;
  readonly name: string;
  readonly read: (reader: XdrReader) => Payload;
}

/** What happened, and the registration it is reported to. */
export interface CallbackEvent<Payload> {
  readonly callbackID: number;
  readonly payload: Payload;
}

/** A kind of event of one kind of object: the id to register for, and the message that reports it. */
export interface ObjectEventMessage<Kind extends string, Payload> {
  readonly eventID: number;
  readonly kind: Kind;
  readonly message: EventMessage<CallbackEvent<Payload>>;
}

/** How long a call may take, and how its caller gives up on it. */
export interface CallOptions {
  /** Gives up on the call when aborted. The daemon may still carry it out: libvirt has no way to take a call back. */
  readonly signal?: AbortSignal;
  /** The call fails with `timeout` when no reply came for so long. */
  readonly timeoutMs?: number;
  /** Called when the call goes to the daemon; one that takes minutes may wait for its turn before that. */
  readonly onSent?: () => void;
}
