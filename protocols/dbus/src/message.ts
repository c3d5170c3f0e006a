import type { DBusValue } from './dbus-value.ts';

/** What a message is for. */
export type MessageKind = 'call' | 'return' | 'error' | 'signal';

/** One message. Which fields it needs depends on its kind. */
export interface DBusMessage {
  readonly kind: MessageKind;
  /** The sender's number for it, from 1 to 2³² - 1. */
  readonly serial: number;
  readonly path?: string | undefined;
  readonly interface?: string | undefined;
  readonly member?: string | undefined;
  readonly errorName?: string | undefined;
  /** The serial of the call that this answers. */
  readonly replySerial?: number | undefined;
  readonly destination?: string | undefined;
  /** Filled in by the bus. */
  readonly sender?: string | undefined;
  readonly signature?: string | undefined;
  readonly body?: readonly DBusValue[] | undefined;
  /** The sender does not want an answer. */
  readonly noReply?: boolean | undefined;
  /** The bus shall not start a service for it. */
  readonly noAutoStart?: boolean | undefined;
}

/** The byte that stands for each kind. */
export const KIND_BYTES: Readonly<Record<MessageKind, number>> = { call: 1, return: 2, error: 3, signal: 4 };

/** The byte order marks: `l` and `B`. */
export const LITTLE_MARK = 0x6c;
export const BIG_MARK = 0x42;

export const NO_REPLY = 1;
export const NO_AUTO_START = 2;

/** The fixed part, and the length of the header fields after it. */
export const PREFIX_BYTES = 16;
/** The specification's limit for a whole message. */
export const MAX_MESSAGE_BYTES: number = 2 ** 27;

export const HEADER_FIELDS = {
  path: 1,
  interface: 2,
  member: 3,
  errorName: 4,
  replySerial: 5,
  destination: 6,
  sender: 7,
  signature: 8,
} as const;

export const HEADER_SIGNATURES: Readonly<Record<keyof typeof HEADER_FIELDS, string>> = {
  path: 'o',
  interface: 's',
  member: 's',
  errorName: 's',
  replySerial: 'u',
  destination: 's',
  sender: 's',
  signature: 'g',
};

export type HeaderField = keyof typeof HEADER_FIELDS;

/** What each kind cannot do without. */
export const REQUIRED_FIELDS: Readonly<Record<MessageKind, readonly HeaderField[]>> = {
  call: ['path', 'member'],
  return: ['replySerial'],
  error: ['errorName', 'replySerial'],
  signal: ['path', 'interface', 'member'],
};
