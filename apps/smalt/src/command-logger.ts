import { createLogger, isLogLevel, type Logger } from '@smalt/service-runtime';

import type { CommandContext } from './command-context.ts';

/** The logger of a service, as its settings want it, on the standard error. */
export function commandLogger(
  name: string,
  log: { readonly level: string; readonly format: string },
  { errors }: Pick<CommandContext, 'errors'>,
): Logger {
  const level = isLogLevel(log.level) ? log.level : 'info';
  return createLogger({ name, level, format: log.format === 'pretty' ? 'pretty' : 'json', destination: errors });
}
