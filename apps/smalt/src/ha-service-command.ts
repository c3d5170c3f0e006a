import { hostname } from 'node:os';
import { resolve } from 'node:path';

import { backUpStore, fileProblems, SettingsFile, settingsHelp, startHaService } from '@smalt/ha-service';
import { loadKubeConfig } from '@smalt/kube';

import { commandLogger } from './command-logger.ts';
import type { CommandContext } from './command-context.ts';
import { serveAgent } from './serve-agent.ts';
import { SmaltError } from './smalt-error.ts';

const CHECK_TIMEOUT_MS = 30_000;
const BACKUP_TIMEOUT_MS = 3_600_000;

/** Runs a replica of the HA service until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function haServiceCommand(context: CommandContext): Promise<number> {
  const words = readWords(context);
  if (words.isHelp) {
    context.output.write(settingsHelp());
    return 0;
  }
  const settings = await SettingsFile.open(resolve(words.path));
  if (words.isCheck) return await checkConfig(settings, context);
  if (words.backupPath !== undefined) return await backUp(settings, words.backupPath, context);
  return await serve(settings, context);
}

async function serve(settings: SettingsFile, context: CommandContext): Promise<number> {
  const { observabilityListen, kubernetes, log } = settings.current;
  const { environment } = context;
  const logger = commandLogger('ha-service', log, context);
  const kubeConfig = await loadKubeConfig({ path: kubernetes.kubeconfig || undefined, environment });
  const identity = `${hostname()}_${crypto.randomUUID()}`;
  const listen = observabilityListen.startsWith(':') ? `[::]${observabilityListen}` : observabilityListen;
  const service = { logger, listen, listenFlag: 'observabilityListen' };
  return await serveAgent(context, service, async (registries, signal) => {
    const options = { ...registries, settings, kubeConfig, logger, identity, environment };
    const replica = await startHaService(options, signal);
    logger.info({ identity, port: replica.port, store: settings.current.store.kind }, 'the HA service has started');
    return replica;
  });
}

async function checkConfig(settings: SettingsFile, { output, errors }: CommandContext): Promise<number> {
  const problems = await fileProblems(settings.current, AbortSignal.timeout(CHECK_TIMEOUT_MS));
  for (const problem of problems) errors.write(`${settings.path}: ${problem}\n`);
  if (problems.length > 0) return 1;
  output.write(`${settings.path} is right\n`);
  return 0;
}

/** Beside a service that runs: it goes on, and what it has answered by now is in the copy. */
async function backUp(settings: SettingsFile, to: string, { output }: CommandContext): Promise<number> {
  if (to === '') throw new SmaltError('start-failed', '--backup-to needs the path of a file that is to be written');
  const path = resolve(to);
  await backUpStore(settings.current.store, path, AbortSignal.timeout(BACKUP_TIMEOUT_MS));
  output.write(`the store is in ${path}\n`);
  return 0;
}

interface Words {
  readonly path: string;
  /** Where a copy of the store is wanted; undefined when none is. */
  readonly backupPath: string | undefined;
  readonly isCheck: boolean;
  readonly isHelp: boolean;
}

function readWords({ arguments: words, environment }: CommandContext): Words {
  let path = environment['SMALT_HA_SERVICE_CONFIG'] ?? '';
  const rest = [...words];
  const flags = { isCheck: false, isHelp: false };
  let backupPath: string | undefined;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--help' || word === '-h') flags.isHelp = true;
    else if (word === '--check-config') flags.isCheck = true;
    else if (word === '--config') path = rest.shift() ?? '';
    else if (word.startsWith('--config=')) path = word.slice('--config='.length);
    else if (word === '--backup-to') backupPath = rest.shift() ?? '';
    else if (word.startsWith('--backup-to=')) backupPath = word.slice('--backup-to='.length);
    else
      throw new SmaltError(
        'start-failed',
        `unknown flag ${word}: everything but --config, --check-config, --backup-to and --help is in the file`,
      );
  }
  if (path === '' && !flags.isHelp) {
    const next = 'give --config FILE; deploy/ha-service/config.yaml is an example';
    throw new SmaltError('start-failed', `there is no configuration: ${next}`);
  }
  return { path, backupPath, ...flags };
}
