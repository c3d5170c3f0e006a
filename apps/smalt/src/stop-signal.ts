/** What of a process is needed to hear that it should stop. */
export interface StoppableProcess {
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): unknown;
}

/** Aborted by the first Ctrl-C or SIGTERM. The second one ends the process at once. */
export function stopSignal(process: StoppableProcess): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}
