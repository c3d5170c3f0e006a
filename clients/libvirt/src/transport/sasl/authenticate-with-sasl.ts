import { LibvirtError } from '../../libvirt-error.ts';
import type { SaslMechanism } from './sasl-mechanism.ts';

/** The daemon accepts no longer SASL message. */
const MAX_DATA_BYTES = 65_536;
/** More than any mechanism here needs; a daemon that goes on and on is broken. */
const MAX_STEPS = 10;

/** A SASL message on libvirt's wire. `nil` tells "no data" apart from "empty data". */
export interface SaslData {
  readonly nil: number;
  readonly data: Uint8Array;
}

/** What the daemon answers to one message. */
export interface SaslReply extends SaslData {
  /** Not zero when the daemon is satisfied. */
  readonly complete: number;
}

/** The two procedures that carry the exchange. */
export interface SaslCalls {
  authSaslStart(args: SaslData & { readonly mechanism: string }): Promise<SaslReply>;
  authSaslStep(args: SaslData): Promise<SaslReply>;
}

/** Runs one exchange until both sides are satisfied. A daemon that is satisfied too early still has to prove itself. */
export async function authenticateWithSasl(calls: SaslCalls, mechanism: SaslMechanism): Promise<void> {
  let response = mechanism.start();
  let reply = await calls.authSaslStart({ mechanism: mechanism.name, ...wireData(response.data) });
  for (let steps = 0; !(response.isDone && reply.complete !== 0); steps += 1) {
    if (steps === MAX_STEPS) {
      throw new LibvirtError('protocol', `${mechanism.name}: no end after ${MAX_STEPS} messages`);
    }
    response = await mechanism.step(reply.nil === 0 ? reply.data : undefined);
    if (response.isDone && reply.complete !== 0) return;
    reply = await calls.authSaslStep(wireData(response.data));
  }
}

function wireData(data: Buffer | undefined): SaslData {
  if (data === undefined) return { nil: 1, data: Buffer.alloc(0) };
  if (data.length > MAX_DATA_BYTES) {
    throw new LibvirtError('authentication', 'the user name or the password is too long for SASL');
  }
  return { nil: 0, data };
}
