import { execFile } from 'node:child_process';

import { OperatorError } from '../operator-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 30_000;
const LONGEST_BYTES = 65_536;

/**
 * The environment with the password that `OS_PW_CMD` prints, if that is set. Whoever sets the variable chose the program
 * to run as well, so a shell gives them nothing they did not have; nothing else ever gets there.
 */
export async function withPasswordOfCommand(environment: Environment, signal: AbortSignal): Promise<Environment> {
  const command = environment['OS_PW_CMD'];
  if (command === undefined || command === '') return environment;
  const output = await run(command, environment, signal);
  const password = output.replace(/\n$/, '');
  if (password === '') throw refusal('printed nothing');
  return { ...environment, OS_PASSWORD: password };
}

async function run(command: string, environment: Environment, signal: AbortSignal): Promise<string> {
  const options = { env: { ...environment }, signal, timeout: TIMEOUT_MS, maxBuffer: LONGEST_BYTES };
  return await new Promise((resolve, reject) => {
    execFile('/bin/sh', ['-c', command], options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else if (signal.aborted)
        reject(new OperatorError('bad-setting', 'OS_PW_CMD: given up', { cause: signal.reason }));
      // The error itself is not passed on: it holds the command, which may hold a secret.
      else
        reject(
          refusal(error.killed === true ? `took more than ${TIMEOUT_MS} ms` : `ended with ${error.code ?? 'a signal'}`),
        );
    });
  });
}

function refusal(what: string): OperatorError {
  const next = 'run it by hand in the same surroundings, or use OS_PASSWORD or a clouds.yaml instead';
  return new OperatorError('bad-setting', `OS_PW_CMD: the command ${what}: ${next}`);
}
