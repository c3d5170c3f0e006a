import type { LibvirtError } from '../libvirt-error.ts';

/** What a session is doing. Attempts are counted anew after each connection that held for a while. */
export type SessionState =
  | { readonly kind: 'connecting'; readonly attempt: number }
  | { readonly kind: 'connected'; readonly attempt: number; readonly connectedAt: Date }
  | {
      readonly kind: 'waiting';
      /** The attempt that failed, or that led to the connection that broke. */
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: LibvirtError;
    }
  /** For good: closed by its owner, or, with an error, out of attempts. */
  | { readonly kind: 'closed'; readonly error?: LibvirtError };
