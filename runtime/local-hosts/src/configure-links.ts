import { setTimeout as delay } from 'node:timers/promises';

import { runProgram } from '@smalt/libvirt-daemon';

import { LocalHostsError } from './local-hosts-error.ts';

const IP = { name: 'ip', debianPackage: 'iproute2' } as const;
const NSENTER = { name: 'nsenter', debianPackage: 'util-linux' } as const;
const FORWARDING_MS = 5_000;
const LOOK_MS = 25;
const ORPHAN_RETRIES = '/proc/sys/net/ipv4/tcp_orphan_retries';

/** Runs `ip` commands, in order, in the network namespace of a process or in our own. */
export async function configureLinks(namespacePid: number | undefined, commands: readonly string[]): Promise<void> {
  const input = `${commands.join('\n')}\n`;
  if (namespacePid === undefined) await runProgram(IP, ['-batch', '-'], { input });
  else await runProgram(NSENTER, ['--target', String(namespacePid), '--net', 'ip', '-batch', '-'], { input });
}

/** Resolves once a port of a bridge passes traffic; the kernel may take a second to notice that its link is up. */
export async function waitUntilForwarding(bridgePid: number | undefined, port: string): Promise<void> {
  const deadline = Date.now() + FORWARDING_MS;
  const show = ['-details', '-oneline', 'link', 'show', 'dev', port];
  while (true) {
    const shown =
      bridgePid === undefined
        ? await runProgram(IP, show)
        : await runProgram(NSENTER, ['--target', String(bridgePid), '--net', 'ip', ...show]);
    const state = shown.toString();
    if (state.includes(' state UP ') && state.includes(' state forwarding ')) return;
    if (Date.now() > deadline)
      throw new LocalHostsError('wait-timeout', `The link of ${port} did not come up: ${state.trim()}`);
    await delay(LOOK_MS);
  }
}

/**
 * Lets a namespace go soon after its last process: the kernel keeps it while it sends farewells on behalf of dead
 * processes, for minutes when the link is cut.
 */
export async function forgetOrphansSoon(namespacePid: number): Promise<void> {
  await runProgram(NSENTER, ['--target', String(namespacePid), '--net', 'tee', ORPHAN_RETRIES], { input: '1' });
}

/** How many addresses or routes of this machine lie in a /24, given by its first three numbers. */
export async function addressesInUse(prefix: string): Promise<number> {
  const addresses = await runProgram(IP, ['-oneline', '-4', 'address', 'show', 'to', `${prefix}.0/24`]);
  const routes = await runProgram(IP, ['-oneline', '-4', 'route', 'show', 'table', 'all', 'match', `${prefix}.1`]);
  const foreign = routes
    .toString()
    .split('\n')
    .filter((route) => route !== '' && !route.includes('default') && !route.includes(`${prefix}.`));
  const own = addresses
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  return own.length + foreign.length;
}
