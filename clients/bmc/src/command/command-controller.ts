import { Secret } from '@smalt/secret';

import { checkSetting, checkTimeout } from '../check-setting.ts';
import type { PowerController } from '../power-controller.ts';
import { PROGRAM_PATH } from '../program-path.ts';
import { runProgram, type ProgramEnd } from '../run-program.ts';
import { withinDeadline } from '../within-deadline.ts';
import { checkCommandEnd, readCommandState, type CommandRun } from './read-command-answer.ts';

/** A program that switches the power of one host. `status`, `off` or `on` comes as its last argument. */
export interface CommandSettings {
  /** The program, by its full path, and its arguments. No shell reads them, and everybody can: no secrets here. */
  readonly command: readonly string[];
  /** All of its environment but PATH and LC_ALL. */
  readonly environment?: Readonly<Record<string, string | Secret>>;
  /** For a whole call; 30 s if it is left out. Then it is killed with its children. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** The power switch of a host that a program of the operator's own knows how to reach. Throws `bad-setting`. */
export function createCommandController(settings: CommandSettings): PowerController {
  const { command, timeoutMs = DEFAULT_TIMEOUT_MS } = settings;
  const [program = '', ...words] = command;
  checkSetting(program.startsWith('/'), 'command', 'has to start with the full path of a program');
  checkSetting(!command.some((word) => word.includes('\0')), 'command', 'must not hold NUL characters');
  checkTimeout('timeoutMs', timeoutMs);
  checkEnvironment(settings.environment ?? {});
  const environment = revealed(settings.environment ?? {});
  const secrets = Object.values(settings.environment ?? {}).flatMap((value) =>
    value instanceof Secret ? [value.reveal()] : [],
  );
  const method = `command ${program}`;
  const run = (verb: 'status' | 'off' | 'on'): CommandRun => ({ what: `${method} ${verb}`, secrets });
  const call = <T>(verb: 'status' | 'off' | 'on', signal: AbortSignal, read: (end: ProgramEnd) => T): Promise<T> =>
    withinDeadline({ what: run(verb).what, timeoutMs, signal }, async (inner) =>
      read(await runProgram({ program, arguments: [...words, verb], environment }, inner)),
    );
  const ask = (verb: 'off' | 'on', signal: AbortSignal): Promise<void> =>
    call(verb, signal, (end) => checkCommandEnd(end, run(verb)));
  return {
    method,
    readPower: (signal) => call('status', signal, (end) => ({ state: readCommandState(end, run('status')), method })),
    powerOff: (signal) => ask('off', signal),
    powerOn: (signal) => ask('on', signal),
  };
}

/** Node shows what it could not pass on, secrets too: nothing with a NUL may get that far. */
function checkEnvironment(environment: Readonly<Record<string, string | Secret>>): void {
  for (const [name, value] of Object.entries(environment)) {
    checkSetting(/^[A-Za-z_]\w*$/.test(name), 'environment', `has the name "${name}", which no variable can have`);
    const text = value instanceof Secret ? value.reveal() : value;
    checkSetting(!text.includes('\0'), 'environment', `must not hold NUL characters, as ${name} does`);
  }
}

function revealed(environment: Readonly<Record<string, string | Secret>>): Readonly<Record<string, string>> {
  const entries = Object.entries(environment).map(([name, value]) => [
    name,
    value instanceof Secret ? value.reveal() : value,
  ]);
  return { PATH: PROGRAM_PATH, LC_ALL: 'C', ...Object.fromEntries(entries) };
}
