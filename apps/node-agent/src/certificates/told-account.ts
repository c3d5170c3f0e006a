import { readGuestAccount } from '@smalt/hypervisor-facts';
import type { LibvirtSession } from '@smalt/libvirt';

import type { AgentContext } from '../agent-context.ts';
import type { Account } from './plan-installation.ts';

/** The first time after a start, libvirtd tries out every emulator there is. */
const TIMEOUT_MS = 60_000;

/** The account that libvirt says its guests run under. */
export class ToldAccount {
  readonly #context: Pick<AgentContext, 'session' | 'ignore'>;
  #last: Account | undefined;

  constructor(context: Pick<AgentContext, 'session' | 'ignore'>) {
    this.#context = context;
  }

  /** Undefined as long as it has said nothing. While it is away, what it said last counts. */
  async ask(signal: AbortSignal): Promise<Account | undefined> {
    const { session, ignore } = this.#context;
    if (session.state.kind !== 'connected') return this.#last;
    try {
      this.#last = readGuestAccount(await session.connectGetCapabilities({ signal, timeoutMs: TIMEOUT_MS }));
    } catch (error) {
      signal.throwIfAborted();
      ignore(error, 'an account that libvirt does not tell is looked for on the host');
    }
    return this.#last;
  }
}

/** Calls back whenever a daemon that was away is there, until it is disposed of. */
export function onConnect(session: Pick<LibvirtSession, 'state' | 'states'>, tell: () => void): AsyncDisposable {
  let isUp = session.state.kind === 'connected';
  const states = session.states();
  const following = (async () => {
    for await (const { kind } of states) {
      if (kind === 'connected' && !isUp) tell();
      isUp = kind === 'connected';
    }
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      await states.return();
      await following;
    },
  };
}
