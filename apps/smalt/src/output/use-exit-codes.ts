import type { Command } from 'commander';

/** Has wrong flags end by an error instead of ending the process, so that one place decides on the code. */
export function useExitCodes(command: Command): Command {
  command.exitOverride();
  for (const child of command.commands) useExitCodes(child);
  return command;
}
