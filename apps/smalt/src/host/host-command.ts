import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { Command } from 'commander';

import { table } from '../table.ts';
import { askControlSocket } from '../up/control-socket.ts';
import { dataPath } from '../up/data-directory.ts';
import { dataDirectoryOf, dataOption, type Environment } from '../up/up-command.ts';

const TIMEOUT_MS = 120_000;

const DEEDS = [
  ['power-off', 'take the power of a host: all that runs on it is gone at once'],
  ['power-on', 'give a host its power back'],
  ['cut', 'cut the network of a host: it and its guests run on, unreachable'],
  ['heal', 'end what cut began'],
] as const;

interface HostFlags {
  readonly data?: string;
  readonly output?: string;
}

/** `smalt host`: what can happen to the hosts of a `smalt up --hosts`, to be tried. */
export function hostCommand(environment: Environment): Command {
  const command = new Command('host').description('look at the hosts of smalt up --hosts, and make them fail');
  command
    .command('list')
    .description('show the hosts on this machine')
    .option('-o, --output <format>', 'json, or a table')
    .addOption(dataOption())
    .action(async (flags: HostFlags) => {
      const hosts = await ask({ kind: 'hosts' }, flags, environment);
      process.stdout.write(`${flags.output === 'json' ? JSON.stringify(hosts, undefined, 2) : hostTable(hosts)}\n`);
    });
  for (const [name, what] of DEEDS) {
    command
      .command(`${name} <host>`)
      .description(what)
      .addOption(dataOption())
      .action(async (host: string, flags: HostFlags) => {
        await ask({ kind: name, host }, flags, environment);
        process.stdout.write(`${host}: ${name} is done\n`);
      });
  }
  return command;
}

/** Hosts as a person reads them. */
export function hostTable(hosts: JsonValue): string {
  const rows = Array.isArray(hosts) ? hosts.filter(isJsonObject) : [];
  if (rows.length === 0) return 'this machine itself is the only host; smalt up --hosts 3 makes some to try';
  const fields = ['name', 'address', 'power', 'network', 'controller'];
  return table([
    fields.map((field) => field.toUpperCase()),
    ...rows.map((row) => fields.map((field) => textOf(row[field]))),
  ]);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

async function ask(request: JsonObject, flags: HostFlags, environment: Environment): Promise<JsonValue> {
  const path = dataPath(dataDirectoryOf(flags, environment), 'control');
  return await askControlSocket(path, request, AbortSignal.timeout(TIMEOUT_MS));
}
