import { runProgram, type Program } from '@smalt/libvirt-daemon';

import { VirtHandlerError } from '../virt-handler-error.ts';

const NSENTER = { name: 'nsenter', debianPackage: 'util-linux' } as const;

/** Runs programs of the node where its guests are connected. No shell is part of it. */
export interface HostCommands {
  /** Runs a program to its end and gives what it printed. Throws `network-failed` with its last words. */
  run(program: Program, parameters: readonly string[], options: CommandOptions): Promise<string>;
  /** The program and parameters by which a program is started there. */
  wrap(program: Program, parameters: readonly string[]): readonly [Program, readonly string[]];
}

interface CommandOptions {
  readonly input?: string | undefined;
  readonly signal: AbortSignal;
}

/** Runs programs in a network namespace by its file, or in that of this process. */
export function createHostCommands(networkNamespace: string | undefined): HostCommands {
  const wrap: HostCommands['wrap'] = (program, parameters) =>
    networkNamespace === undefined
      ? [program, parameters]
      : [NSENTER, [`--net=${networkNamespace}`, '--', program.name, ...parameters]];
  return {
    wrap,
    run: async (program, parameters, options) => {
      try {
        return (await runProgram(...wrap(program, parameters), options)).toString();
      } catch (error) {
        options.signal.throwIfAborted();
        const message = `the network of the node could not be set up: ${error instanceof Error ? error.message : String(error)}`;
        throw new VirtHandlerError('network-failed', message, { cause: error });
      }
    },
  };
}
