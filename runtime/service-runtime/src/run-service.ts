import type { Logger } from './logger.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const DEFAULT_DEADLINE_MS = 30_000;

/** The part of `process` that a service needs. */
export interface ServiceProcess {
  on(event: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown;
  off(event: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown;
  exit(code: number): void;
}

export interface ServiceScope {
  /** Fires when the service is to stop. */
  readonly signal: AbortSignal;
  /** What is put here is closed in reverse order once the body has ended. */
  readonly resources: AsyncDisposableStack;
}

export interface ServiceOptions {
  readonly process: ServiceProcess;
  readonly logger: Logger;
  /** How long stopping may take before the process ends regardless. */
  readonly deadlineMs?: number;
}

/**
 * Runs a service until its body returns, and then closes its resources. SIGTERM or SIGINT fires the body's signal; a
 * second one, or a stop that takes too long, ends the process at once. Returns the exit code: 0, or 1 when the body or
 * the closing of a resource failed.
 */
export async function runService(
  options: ServiceOptions,
  body: (scope: ServiceScope) => Promise<void>,
): Promise<number> {
  const { logger } = options;
  const stop = new AbortController();
  using _signals = listen(options, stop);
  let code = 0;
  const resources = new AsyncDisposableStack();
  try {
    await body({ signal: stop.signal, resources });
  } catch (error) {
    if (!isOurAbort(error, stop.signal)) {
      logger.error({ error }, 'the service failed');
      code = 1;
    }
  }
  using _deadline = setDeadline(options);
  try {
    await resources.disposeAsync();
  } catch (error) {
    logger.error({ error }, 'stopping failed');
    code = 1;
  }
  return code;
}

/** Resolves when the signal fires: what a body ends with that has nothing else to wait for. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function listen(options: ServiceOptions, stop: AbortController): Disposable {
  let deadline: Disposable | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    if (stop.signal.aborted) {
      options.logger.warn({ signal: name }, 'told to stop a second time, ending at once');
      return options.process.exit(name === 'SIGINT' ? 130 : 143);
    }
    options.logger.info({ signal: name }, 'stopping');
    deadline = setDeadline(options);
    stop.abort(new DOMException(`stopped by ${name}`, 'AbortError'));
  };
  for (const name of SIGNALS) options.process.on(name, onSignal);
  return {
    [Symbol.dispose]: () => {
      deadline?.[Symbol.dispose]();
      for (const name of SIGNALS) options.process.off(name, onSignal);
    },
  };
}

function setDeadline({ logger, process: program, deadlineMs = DEFAULT_DEADLINE_MS }: ServiceOptions): Disposable {
  const timer = setTimeout(() => {
    logger.error({ deadlineMs }, 'stopping took too long, ending at once');
    program.exit(1);
  }, deadlineMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

function isOurAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError');
}
