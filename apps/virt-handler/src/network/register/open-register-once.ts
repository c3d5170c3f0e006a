import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { InterfaceRegister, type InterfaceRegisterOptions } from './interface-register.ts';

/** Opens the register below this directory when it is first asked for; all who ask get the same one. */
export function openRegisterOnce(options: InterfaceRegisterOptions): () => Promise<InterfaceRegister> {
  let opened: Promise<InterfaceRegister> | undefined;
  return async () => {
    opened ??= open(options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return await opened;
  };
}

async function open({ directory, ...options }: InterfaceRegisterOptions): Promise<InterfaceRegister> {
  await mkdir(directory, { recursive: true });
  // dnsmasq has to get to its files.
  await chmod(directory, 0o711);
  return await InterfaceRegister.open({ ...options, directory: join(directory, 'interfaces') });
}
