import { existsSync } from 'node:fs';

import { operatingSystem } from './operating-system.mjs';

const SUPPORTED_VERSIONS = ['12', '13'];

/**
 * What stands in the way of a command that needs Debian's packages, as one message with the exact next step, or
 * undefined. Nothing is changed here, so that a refusal leaves the machine as it was.
 *
 * @param {string} command
 * @param {readonly string[]} packages
 * @param {{ osRelease?: string, isRoot?: boolean, architecture?: string, hasKvm?: boolean }} [machine]
 * @returns {string | undefined}
 */
export function refusal(command, packages, machine = {}) {
  if (packages.length === 0) return undefined;
  const system = operatingSystem(machine.osRelease);
  const architecture = machine.architecture ?? process.arch;
  const isRoot = machine.isRoot ?? process.getuid?.() === 0;
  const accounts = accountCommands(machine.hasKvm ?? existsSync('/dev/kvm'));

  if (system.id !== 'debian' || !SUPPORTED_VERSIONS.includes(system.version)) {
    return message(
      `Smalt sets itself up on Debian 12 and 13; this is ${system.name}.`,
      `Use a machine or container with Debian 12 or 13, or install the like of these packages and do what ${npmCommand(command)} does:`,
      [
        `apt-get install --no-install-recommends ${packages.join(' ')}`,
        'npm install --no-save',
        ...accounts,
        ownCommands[command] ?? '',
      ],
    );
  }
  if (architecture !== 'x64') {
    return message(`Smalt runs on x86-64 today; this machine is ${architecture}.`, 'Use an x86-64 machine.', []);
  }
  if (!isRoot) {
    return message(
      `${npmCommand(command)} starts libvirt hosts and needs root.`,
      `Run it as root, which does all of this by itself (sudo ${npmCommand(command)}), or have root do:`,
      [`apt-get update`, `apt-get install --no-install-recommends ${packages.join(' ')}`, ...accounts],
    );
  }
  return undefined;
}

/** @param {boolean} hasKvm */
function accountCommands(hasKvm) {
  return [
    'groupadd --system --force kvm',
    'useradd --system --gid kvm --home-dir /var/lib/libvirt --shell /usr/sbin/nologin libvirt-qemu',
    ...(hasKvm ? ['chgrp kvm /dev/kvm && chmod g+rw /dev/kvm'] : []),
  ];
}

/** @type {Readonly<Record<string, string>>} */
const ownCommands = {
  start: 'node_modules/.bin/node apps/smalt/src/main.ts up',
  test: 'npx vitest run',
  'prove-privilege': 'node_modules/.bin/node tools/least-privilege/main.ts',
  'test-kubernetes': 'npx vitest run --mode kubernetes',
  bench: 'node_modules/.bin/node benchmarks/src/main.ts',
};

/** @param {string} command */
function npmCommand(command) {
  // In package.json a word and its kind are parted by a colon.
  return command === 'start' || command === 'test' ? `npm ${command}` : `npm run ${command.replace('-', ':')}`;
}

/**
 * @param {string} problem
 * @param {string} next
 * @param {readonly string[]} commands
 */
function message(problem, next, commands) {
  return [problem, next, ...commands.map((line) => `  ${line}`)].join('\n');
}
