import type { EnginePorts } from '../ports/engine-ports.ts';
import type { Background } from './timing/background.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { SignalBook } from './fleet/signal-book.ts';
import { withDeadline } from './timing/with-deadline.ts';

/** What the parts of the engine share. */
export interface EngineContext {
  readonly ports: EnginePorts;
  readonly settings: () => EngineSettings;
  readonly background: Background;
  readonly book: SignalBook;
}

/** A call to the outside that ends within the time that one call may take. */
export async function call<T>(
  { ports, settings }: Pick<EngineContext, 'ports' | 'settings'>,
  what: string,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return await withDeadline({ clock: ports.clock, timeoutMs: settings().callTimeoutMs, what, signal }, run);
}
