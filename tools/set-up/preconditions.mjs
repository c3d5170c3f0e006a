import { readFileSync } from 'node:fs';

const SUPPORTED_VERSIONS = ['12', '13'];

/**
 * What stands in the way of a command that needs Debian's packages, as one message with the exact next step, or
 * undefined. Nothing is changed here, so that a refusal leaves the machine as it was.
 *
 * @param {string} command
 * @param {readonly string[]} packages
 * @param {{ osRelease?: string, isRoot?: boolean, architecture?: string }} [machine]
 * @returns {string | undefined}
 */
export function refusal(command, packages, machine = {}) {
  if (packages.length === 0) return undefined;
  const system = parseOsRelease(machine.osRelease ?? readOsRelease());
  const architecture = machine.architecture ?? process.arch;
  const isRoot = machine.isRoot ?? process.getuid?.() === 0;

  if (system.id !== 'debian' || !SUPPORTED_VERSIONS.includes(system.version)) {
    return message(
      `Smalt sets itself up on Debian 12 and 13; this is ${system.name}.`,
      'Use a machine or container with Debian 12 or 13, or install the like of these packages and run the product yourself:',
      [`apt-get install --no-install-recommends ${packages.join(' ')}`, 'npm ci', ...userCommands, ownCommand(command)],
    );
  }
  if (architecture !== 'x64') {
    return message(`Smalt runs on x86-64 today; this machine is ${architecture}.`, 'Use an x86-64 machine.', []);
  }
  if (!isRoot) {
    return message(
      `${npmCommand(command)} starts libvirt hosts and needs root.`,
      `Run it as root, which does all of this by itself (sudo ${npmCommand(command)}), or have root do:`,
      [`apt-get update`, `apt-get install --no-install-recommends ${packages.join(' ')}`, ...userCommands],
    );
  }
  return undefined;
}

const userCommands = [
  'groupadd --system --force kvm',
  'useradd --system --gid kvm --home-dir /var/lib/libvirt --shell /usr/sbin/nologin libvirt-qemu',
  'chgrp kvm /dev/kvm && chmod g+rw /dev/kvm',
];

/** @param {string} command */
function npmCommand(command) {
  return command === 'start' || command === 'test' ? `npm ${command}` : `npm run ${command}`;
}

/** @param {string} command */
function ownCommand(command) {
  return command === 'test' ? 'npx vitest run' : 'node_modules/.bin/node apps/smalt/src/main.ts up';
}

/**
 * @param {string} problem
 * @param {string} next
 * @param {readonly string[]} commands
 */
function message(problem, next, commands) {
  return [problem, next, ...commands.map((line) => `  ${line}`)].join('\n');
}

function readOsRelease() {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return `PRETTY_NAME="${process.platform}"`;
  }
}

/** @param {string} text */
function parseOsRelease(text) {
  const value = (/** @type {string} */ key) => {
    const match = new RegExp(`^${key}=(?:"([^"]*)"|(.*))$`, 'm').exec(text);
    return match?.[1] ?? match?.[2]?.trim();
  };
  return {
    id: value('ID') ?? 'unknown',
    version: value('VERSION_ID') ?? '',
    name: value('PRETTY_NAME') ?? 'an unknown system',
  };
}
