import type { XdrReader } from '@smalt/xdr';

import type { Clock } from '../clock.ts';
import type { LibvirtWarning } from '../libvirt-warning.ts';
import type { KeepaliveOptions } from './keepalive.ts';
import type { MessageHeader } from './message.ts';

/** The limits of one connection. */
export interface ChannelLimits {
  /** How long any call may take that does not say so itself. Default: as long as it takes. */
  readonly callTimeoutMs?: number;
  /** More calls than this may not wait for their reply; a further one fails with `queue-full`. Default 10,000. */
  readonly maxPendingCalls?: number;
  /** More bytes than this may not wait for the socket; a further call fails with `queue-full`. Default 64 MiB. */
  readonly maxWaitingBytes?: number;
  /** A stream that nobody reads keeps this many bytes, then the whole connection stops reading. Default 4 MiB. */
  readonly maxStreamBufferBytes?: number;
  /**
   * How long the process stays awake for a reply before it sleeps until one comes; 0 lets it sleep at once. More than a
   * fast daemon needs gains nothing. Default 2000.
   */
  readonly busyPollMicroseconds?: number;
  /** `false` switches the client's own pings off; those of the daemon are always answered. */
  readonly keepalive?: KeepaliveOptions | false;
  /** Called when something was odd but not fatal. Default: nothing, the connection still counts them. */
  readonly onWarning?: (warning: LibvirtWarning) => void;
  readonly clock?: Clock;
}

export interface ChannelOptions extends ChannelLimits {
  /** Where serials begin. Default 1. */
  readonly firstSerial?: number;
  /** Takes every message the daemon sends unasked. What it throws is reported as a warning. */
  readonly onEvent: (header: MessageHeader, reader: XdrReader) => void;
}
