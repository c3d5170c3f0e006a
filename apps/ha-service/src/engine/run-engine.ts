import type { EnginePorts } from '../ports/engine-ports.ts';
import { Background } from './timing/background.ts';
import type { EngineSettings } from './engine-settings.ts';
import { Engine } from './engine.ts';
import { SignalBook } from './fleet/signal-book.ts';

/**
 * Leads until the signal fires. Rejects with `lead-lost` when the store shows that another one leads; whatever else goes
 * wrong is noted and tried again. When it ends nothing of it is under way any more.
 */
export async function runEngine(
  ports: EnginePorts,
  settings: () => EngineSettings,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const { logger, ignore } = ports;
  const background = new Background({ logger, ignore, signal: until, onLeadLost: (error) => over.abort(error) });
  const loops = new Engine({ ports, settings, background, book: new SignalBook() }).loops(until);
  try {
    await Promise.all(loops);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    over.abort(new Error('the engine stops'));
    await Promise.allSettled(loops);
    await background.idle();
  }
}
