import type { ServiceProcess } from '@smalt/service-runtime';

/** What the command needs of the process that it runs in. */
export interface CommandContext {
  /** The words after the command's name. */
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly process: ServiceProcess;
  readonly output: { write(text: string): unknown };
  readonly errors: { write(text: string): unknown };
  /** Called when everything is loaded and the service does its work. */
  readonly onReady?: () => void;
}
