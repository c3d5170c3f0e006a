import type { XdrReader } from '@smalt/xdr';

import type { CallOptions } from '../procedure.ts';

/** One kind of event, and how to ask the daemon for it. */
export interface EventRegistration<Event> {
  readonly kind: string;
  /** The number the daemon knows the kind by, where it has one. */
  readonly eventID?: number;
  /** The message that reports it. */
  readonly message: { readonly program: number; readonly number: number; readonly name: string };
  readonly read: (reader: XdrReader) => Event;
  /** Asks for it. `onCallbackID` runs before anything behind the daemon's reply is looked at. */
  readonly register: (options: CallOptions, onCallbackID: (callbackID: number) => void) => Promise<unknown>;
  readonly deregister: (callbackID: number, options: CallOptions) => Promise<void>;
}
