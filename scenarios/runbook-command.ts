import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const RUNBOOK = resolve(import.meta.dirname, '../docs/runbooks/host-is-down.md');
const run = promisify(execFile);

/** What stands for `$HA`, `$TOKEN` and `ha-ca.crt`. */
export interface ServiceAccess {
  readonly url: string;
  readonly token: string;
  readonly authorityFile: string;
}

export interface RunbookReader extends ServiceAccess {
  /** What stands for `ID` and `HOST`. */
  readonly incidentId: string;
  readonly host: string;
}

/** Runs the one curl command of the runbook that has these words in it, as a person would, and gives what it prints. */
export async function followRunbook(containing: string, reader: RunbookReader): Promise<string> {
  const commands = curlCommands(await readFile(RUNBOOK, 'utf8')).filter((command) => command.includes(containing));
  const [command] = commands;
  if (command === undefined || commands.length > 1) throw new TypeError(`${commands.length} commands ${containing}`);
  const { url, token, authorityFile, incidentId, host } = reader;
  const filledIn = command
    .replaceAll(/\bID\b/g, incidentId)
    .replaceAll(/\bHOST\b/g, host)
    .replaceAll('ha-ca.crt', authorityFile);
  const { stdout } = await run('bash', ['-euc', filledIn], { env: { HA: url, TOKEN: token, PATH: '/usr/bin:/bin' } });
  return stdout;
}

/** With the lines that a backslash carries on. */
function curlCommands(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^curl (?:.*\\\n)*.*/gm)].map(([command]) => command);
}
