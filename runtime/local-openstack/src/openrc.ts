import { join } from 'node:path';

/** What a shell reads to be the administrator of the cloud, with the client of its software at hand. */
export function openrcText(environment: Readonly<Record<string, string>>, programsDirectory: string): string {
  const all = { ...environment, OS_COMPUTE_API_VERSION: '2.92', OS_PLACEMENT_API_VERSION: '1.39' };
  const lines = Object.entries(all).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  return `${lines.join('')}export PATH=${quoted(programsDirectory)}:"$PATH"\n`;
}

/** The command `openstack`, from packages that are unpacked and not installed. */
export function clientScript(softwareDirectory: string): string {
  const root = join(softwareDirectory, 'root');
  const libraries = ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'].map((path) => join(root, path));
  const environment = {
    PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
    LD_LIBRARY_PATH: libraries.join(':'),
    PYTHONPYCACHEPREFIX: join(softwareDirectory, 'bytecode'),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONNOUSERSITE: '1',
    PYTHONWARNINGS: 'ignore',
  };
  const lines = Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  return `#!/bin/sh\n${lines.join('')}exec /usr/bin/python3 ${quoted(join(root, 'usr/bin/openstack'))} "$@"\n`;
}

/** For a shell, which takes it as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
