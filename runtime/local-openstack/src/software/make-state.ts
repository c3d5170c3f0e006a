import { randomBytes } from 'node:crypto';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CloudNamespace } from '../cloud-namespace.ts';
import { CLOUD_PATHS } from '../cloud-paths.ts';
import { CloudServices, configurationPath, program } from '../cloud-services.ts';
import { drawAddress } from '../configuration/cloud-address.ts';
import { DATABASES, databaseUrl } from '../configuration/database-url.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { startNetworkService } from '../network-service.ts';
import { seedCloud } from './seed-cloud.ts';

const PASSWORD_FILE = 'password';

/**
 * Sets a cloud up once, with schemas, keys, users, flavors and an image, and keeps its state below `directory/state`, where
 * every cloud begins. It also leaves Python's bytecode in `directory/bytecode`.
 */
export async function makeState(directory: string, signal: AbortSignal): Promise<void> {
  await mkdir(join(directory, 'bytecode'), { recursive: true });
  await using namespace = await CloudNamespace.open({
    softwareDirectory: directory,
    state: 'none',
    outputFile: join(directory, 'namespace.log'),
    writable: [],
  });
  const services = new CloudServices({ namespace, bytecode: 'write' });
  const password = randomBytes(12).toString('hex');
  const address = await drawAddress();
  await services.configure({ ...DEFAULT_SETTINGS, address, password });
  await services.createDatabase(signal);
  const database = await services.startDatabase(signal);
  await services.query(DATABASES.map((name) => `create database ${name};`).join('\n'), signal);
  await makeSchemas(services, password, signal);
  await using _network = await startNetworkService(address.host, address.networkPort);
  await services.startWebServices(address, signal);
  await services.startNova(address, signal);
  await seedCloud(address, password, signal);
  // What only a compute imports, so that no cloud has to compile it.
  await services.runPython(['-c', 'import nova.cmd.compute, nova.compute.manager, nova.virt.fake'], signal);
  await services.runPython(['-c', 'import nova.cmd.compute, nova.virt.libvirt.driver, libvirt'], signal);
  await services.runPython(['-c', 'import openstackclient.shell, openstackclient.compute.v2.server'], signal);
  await services.query('shutdown;', signal);
  await database.ended;
  const state = join(directory, 'state');
  await cp(namespace.outside(CLOUD_PATHS.state), state, { recursive: true, preserveTimestamps: true });
  await writeFile(join(state, PASSWORD_FILE), password, { mode: 0o600 });
}

/** Where the password of the users of a state lies. */
export function passwordFile(directory: string): string {
  return join(directory, 'state', PASSWORD_FILE);
}

async function makeSchemas(services: CloudServices, password: string, signal: AbortSignal): Promise<void> {
  const nova = [program('set_up_nova.py'), configurationPath('nova.conf'), databaseUrl('nova_cell0')];
  await Promise.all([
    services.runPython(nova, signal),
    (async () => {
      await services.setUpKeystone(password, signal);
      await services.runPython(schemaCommand('placement', 'placement.conf'), signal);
      await services.runPython(schemaCommand('glance', 'glance-api.conf'), signal);
    })(),
  ]);
}

/** What `placement-manage db sync` and `glance-manage db sync` do; the scripts themselves are for installed packages. */
function schemaCommand(service: 'placement' | 'glance', file: string): readonly string[] {
  const words = `["${service}-manage", "--config-file", "${configurationPath(file)}", "db", "sync"]`;
  return ['-c', `import sys; sys.argv = ${words}\nfrom ${service}.cmd.manage import main; sys.exit(main())`];
}
