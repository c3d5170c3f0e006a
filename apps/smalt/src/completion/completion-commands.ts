import { Argument, Command } from 'commander';

import type { CommandProgram } from '../output/command-program.ts';
import { completionScript, SHELLS, type Shell } from './completion-scripts.ts';
import { COMPLETE } from './decide-completion.ts';

const HELP = `
  bash   source <(smalt completion bash)
  zsh    source <(smalt completion zsh)
  fish   smalt completion fish | source`;

/** `smalt completion`, and the hidden command that its scripts call. */
export function completionCommands(program: () => CommandProgram, root: Command): readonly Command[] {
  const completion = new Command('completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .description('print what makes a shell complete commands, flags, and the names of machines and hosts')
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => await program().output.write(completionScript(shell)));
  const complete = new Command(COMPLETE).argument('[words...]').action(async (words: readonly string[]) => {
    const { runComplete } = await import('./run-complete.ts');
    await runComplete(program(), root, words);
  });
  return [completion, complete];
}
