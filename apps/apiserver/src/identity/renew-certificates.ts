import type { ServerIdentity } from './server-identity.ts';

const CHECK_EVERY_MS = 3_600_000;

export interface RenewalDependencies {
  readonly identity: Pick<ServerIdentity, 'renew'>;
  /** Hands the new certificate to the TLS stack, with `setSecureContext`. */
  readonly onRenewed: () => void;
  /** Is told when a certificate could not be made or written; it is tried again an hour later. */
  readonly onFailure: (error: unknown) => void;
  /** Runs something again and again, until what it returns is called. */
  readonly repeat?: (everyMs: number, run: () => Promise<void>) => () => void;
}

/** Looks every hour whether a certificate ends soon, and renews it while the server runs. */
export function keepCertificatesCurrent(deps: RenewalDependencies): Disposable {
  const { repeat = repeatWithTimer } = deps;
  return { [Symbol.dispose]: repeat(CHECK_EVERY_MS, () => renew(deps)) };
}

function repeatWithTimer(everyMs: number, run: () => Promise<void>): () => void {
  const timer = setInterval(() => void run(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function renew({ identity, onRenewed, onFailure }: RenewalDependencies): Promise<void> {
  try {
    if (await identity.renew()) onRenewed();
  } catch (error) {
    onFailure(error);
  }
}
