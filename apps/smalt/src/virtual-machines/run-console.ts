import { isWebSocketError, type WebSocketStream } from '@smalt/websocket';

import { ExitCode } from '../output/exit-code.ts';
import { printableText } from '../printable-text.ts';
import { openMachineStream, type MachineFlags } from './open-machine-stream.ts';
import { splitAtEscape } from './split-at-escape.ts';

/** What the commands need of the process that they run in. */
export interface MachineProgram {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: {
    readonly isTerminal: boolean;
    readonly bytes: AsyncIterableIterator<Uint8Array>;
    /** Whether keys are handed on as they are; switching it off ends the reading. */
    setRaw(isRaw: boolean): void;
  };
  /** Waits until the text was taken, so that a slow terminal slows the guest down. */
  readonly output: { write(data: string | Uint8Array): Promise<void> };
  readonly errors: { write(text: string): unknown };
  readonly signal: AbortSignal;
  setExitCode(code: number): void;
}

type ConsoleEnd =
  | { readonly kind: 'left' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'lost'; readonly why: string };

/** Connects the terminal with the serial console of a machine until Ctrl-], or until the console ends. */
export async function runConsole(program: MachineProgram, name: string, flags: MachineFlags): Promise<void> {
  const stream = await openMachineStream({ name, subresource: 'console' }, flags, program);
  program.errors.write(`connected to the console of ${printableText(name)}; Ctrl-] leaves it\n`);
  program.input.setRaw(true);
  const end = await converse(program, stream).finally(() => program.input.setRaw(false));
  await stream.close();
  tell(program, end);
}

async function converse(program: MachineProgram, stream: WebSocketStream): Promise<ConsoleEnd> {
  const stopped = Promise.withResolvers<ConsoleEnd>();
  const onAbort = (): void => stopped.resolve({ kind: 'left' });
  program.signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([sendTyped(program, stream), printAll(program, stream), stopped.promise]);
  } finally {
    program.signal.removeEventListener('abort', onAbort);
  }
}

async function sendTyped({ input }: MachineProgram, stream: WebSocketStream): Promise<ConsoleEnd> {
  try {
    for await (const bytes of input.bytes) {
      const { typed, isLeaving } = splitAtEscape(bytes);
      await stream.write(typed);
      if (isLeaving) return { kind: 'left' };
    }
  } catch (error) {
    return lost(error);
  }
  return { kind: 'left' };
}

async function printAll({ output }: MachineProgram, stream: WebSocketStream): Promise<ConsoleEnd> {
  try {
    for await (const bytes of stream) await output.write(bytes);
    return { kind: 'ended' };
  } catch (error) {
    return lost(error);
  }
}

function lost(error: unknown): ConsoleEnd {
  if (!isWebSocketError(error)) throw error;
  return { kind: 'lost', why: error.message };
}

function tell(program: MachineProgram, end: ConsoleEnd): void {
  const { errors, input } = program;
  // The cursor stands where the guest left it.
  if (input.isTerminal) errors.write('\r\n');
  switch (end.kind) {
    case 'left':
      return;
    case 'ended':
      errors.write('the console has ended: the guest is off, or moved\n');
      return;
    case 'lost':
      errors.write(`the console was lost: ${printableText(end.why)}\n`);
      program.setExitCode(ExitCode.failed);
  }
}
