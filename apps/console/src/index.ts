export { ConsoleError, isConsoleError, type ConsoleErrorCode } from './console-error.ts';
export type { ConsoleLimits } from './console-limits.ts';
export type { ConsoleClock } from './console-clock.ts';
export type { ConsoleOptions, ConsoleServer, HighAvailabilityOptions } from './console-options.ts';
export { consoleSettings, type ConsoleSettings } from './settings/console-settings.ts';
export { consoleFields, loadConsoleConfig, type ConsoleConfig } from './settings/load-console-config.ts';
export { startConsole } from './start-console.ts';
