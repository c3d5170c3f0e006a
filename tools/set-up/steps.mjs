import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { programOfPackage } from './packages.mjs';
import { unwantedUnits, withoutStarting } from './quiet-install.mjs';

/**
 * One thing a command needs. `missing` looks and changes nothing; `provide` makes it so and throws an Error whose
 * message a person can act on.
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {() => string | undefined} missing what is to be done, or undefined when nothing is
 * @property {() => void} provide
 */

/**
 * @param {string} root the folder of the repository
 * @param {readonly string[]} packages
 * @param {{ bootsGuests?: boolean, runsGuests?: boolean, runsBundle?: boolean, runsOpenStack?: boolean, runsKubernetes?: boolean, runsImages?: boolean }} [needs]
 * @returns {readonly Step[]}
 */
export function setUpSteps(root, packages, needs = {}) {
  const steps = [nodeModules(root)];
  if (packages.length > 0) steps.push(debianPackages(packages));
  if (needs.runsGuests) steps.push(qemuUser(), kvmDevice(), directories());
  if (needs.bootsGuests) steps.push(guestImage(root));
  if (needs.runsOpenStack) steps.push(openStack(root));
  if (needs.runsKubernetes) steps.push(kubernetes(root));
  if (needs.runsBundle || needs.runsImages) steps.push(bundle(root));
  if (needs.runsImages) steps.push(images(root));
  return steps;
}

/**
 * @param {string} root
 * @returns {Step}
 */
function nodeModules(root) {
  const stamp = join(root, 'node_modules', '.smalt-lock');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return {
    name: 'node modules',
    missing: () =>
      existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
        ? undefined
        : 'installing what package-lock.json names',
    provide: () => {
      const npm = process.env['npm_execpath'];
      const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
      // Not `npm ci`: it refuses a lock file that does not name the binaries of every other platform, and a mirror of the
      // registry may not have them to name.
      run(command, [...first, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root });
      writeFileSync(stamp, wanted);
    },
  };
}

/**
 * @param {readonly string[]} packages
 * @returns {Step}
 */
function debianPackages(packages) {
  const absent = () => {
    const asked = spawnSync('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n', ...packages], {
      encoding: 'utf8',
    });
    const installed = new Set(asked.stdout.split('\n').map((line) => line.trim()));
    return packages.filter((name) => !installed.has(`${name} installed`) && !isProvidedOtherwise(name));
  };
  return {
    name: 'Debian packages',
    missing: () => (absent().length > 0 ? `installing ${absent().join(', ')}` : undefined),
    provide: () => {
      const lock = ['-o', 'DPkg::Lock::Timeout=900'];
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
      const wanted = absent();
      run('apt-get', ['update', '-q', ...lock], { env });
      withoutStarting(() =>
        run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...lock, ...wanted], { env }),
      );
      const units = unwantedUnits(wanted);
      if (units.length > 0) run('systemctl', ['disable', '--quiet', ...units]);
    },
  };
}

/** @param {string} name */
function isProvidedOtherwise(name) {
  const program = programOfPackage.get(name);
  if (program === undefined) return false;
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

// libvirtd refuses to start without this user, even when its configuration names another one. Debian creates it in
// libvirt-daemon-system, which would also start daemons of its own.
/** @returns {Step} */
function qemuUser() {
  return {
    name: 'user libvirt-qemu',
    missing: () => (isKnown('passwd', 'libvirt-qemu') && isKnown('group', 'kvm') ? undefined : 'creating it'),
    provide: () => {
      if (!isKnown('group', 'kvm')) run('groupadd', ['--system', 'kvm']);
      if (isKnown('passwd', 'libvirt-qemu')) return;
      const home = ['--home-dir', '/var/lib/libvirt', '--no-create-home', '--shell', '/usr/sbin/nologin'];
      run('useradd', ['--system', '--gid', 'kvm', ...home, 'libvirt-qemu']);
    },
  };
}

// Where no udev runs, the device belongs to root alone, and libvirt, whose guests are not root, would look for KVM anew
// at every call. This is what Debian's udev rule sets.
/** @returns {Step} */
function kvmDevice() {
  const device = '/dev/kvm';
  const groupMayUseIt = 0o060;
  return {
    name: device,
    missing: () => {
      if (!existsSync(device)) return undefined;
      const { gid, mode } = statSync(device);
      const isOpen = gid === kvmGroupId() && (mode & groupMayUseIt) === groupMayUseIt;
      return isOpen ? undefined : 'opening it to the group kvm';
    },
    provide: () => {
      run('chgrp', ['kvm', device]);
      run('chmod', ['g+rw', device]);
    },
  };
}

function kvmGroupId() {
  return Number(spawnSync('getent', ['group', 'kvm'], { encoding: 'utf8' }).stdout.split(':')[2]);
}

/**
 * @param {string} database
 * @param {string} name
 */
function isKnown(database, name) {
  return spawnSync('getent', [database, name]).status === 0;
}

/** @returns {Step} */
function directories() {
  const wanted = ['/var/lib/smalt', '/var/cache/smalt'];
  const absent = () => wanted.filter((path) => !existsSync(path));
  return {
    name: 'directories',
    missing: () => (absent().length > 0 ? `creating ${absent().join(', ')}` : undefined),
    provide: () => {
      for (const path of absent()) mkdirSync(path, { recursive: true, mode: 0o755 });
    },
  };
}

/**
 * @param {string} root
 * @returns {Step}
 */
function guestImage(root) {
  const node = join(root, 'node_modules', '.bin', 'node');
  const script = join(root, 'beds', 'libvirt', 'src', 'guest', 'main.ts');
  return {
    name: 'guest image',
    missing: () =>
      spawnSync(node, [script, '--check']).status === 0 ? undefined : 'making a small Linux of Debian packages',
    provide: () => run(node, [script]),
  };
}

/**
 * @param {string} root
 * @returns {Step}
 */
function openStack(root) {
  const node = join(root, 'node_modules', '.bin', 'node');
  const script = join(root, 'runtime', 'local-openstack', 'src', 'software', 'main.ts');
  return {
    name: 'OpenStack',
    missing: () =>
      spawnSync(node, [script, '--check']).status === 0 ? undefined : 'unpacking it and setting it up once',
    provide: () => run(node, [script]),
  };
}

/**
 * @param {string} root
 * @returns {Step}
 */
function kubernetes(root) {
  const node = join(root, 'node_modules', '.bin', 'node');
  const script = join(root, 'beds', 'kubernetes', 'src', 'main.ts');
  return {
    name: 'Kubernetes',
    missing: () =>
      spawnSync(node, [script, '--check']).status === 0
        ? undefined
        : 'building it from its Go modules, once: a quarter of an hour on two processors',
    provide: () => run(node, [script, '--build']),
  };
}

/**
 * @param {string} root
 * @returns {Step}
 */
function bundle(root) {
  const stamp = bundleStamp(root);
  const pages = join(root, '.cache', 'console', 'index.html');
  const folders = ['protocols', 'domain', 'clients', 'runtime', 'adapters', 'apps', 'tools/bundle'];
  const sources = () => folders.flatMap((folder) => sourcesIn(join(root, folder)));
  const current = () => stateOf(sources(), [join(root, 'package-lock.json')]);
  return {
    name: 'program',
    missing: () => (existsSync(pages) && isMadeOf(stamp, current()) ? undefined : 'bundling the sources'),
    provide: () => {
      run(join(root, 'node_modules', '.bin', 'node'), [join(root, 'tools', 'bundle', 'main.ts')]);
      writeFileSync(stamp, current());
    },
  };
}

/** @param {string} root */
function bundleStamp(root) {
  return join(root, '.cache', 'bundle', 'stamp');
}

// How tools/images begins what nobody may overlook: Debian has dropped packages of its lock.
const OTHER_IMAGES = 'not the images of this commit';

// Tests in a cluster run what is in the images: old ones would tell of a program that is no more.
/**
 * @param {string} root
 * @returns {Step}
 */
function images(root) {
  const made = join(root, '.cache', 'images');
  const stamp = join(made, 'stamp');
  // Made by hand, they may have other names in them.
  const current = () => stateOf([...sourcesIn(join(root, 'tools/images')), ...archivesIn(made)], [bundleStamp(root)]);
  return {
    name: 'images',
    missing: () => (isMadeOf(stamp, current()) ? undefined : 'making them of the program and of Debian packages'),
    provide: () => {
      const said = run(join(root, 'node_modules', '.bin', 'node'), [join(root, 'tools', 'images', 'main.ts')]);
      for (const line of said.split('\n')) if (line.includes(OTHER_IMAGES)) process.stdout.write(`\n  ${line}`);
      writeFileSync(stamp, current());
    },
  };
}

/**
 * @param {string} stamp
 * @param {string} state
 */
function isMadeOf(stamp, state) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === state;
}

/**
 * What something is made of: some files by their sizes and times, and some by what is in them.
 *
 * @param {readonly string[]} outside
 * @param {readonly string[]} inside
 */
function stateOf(outside, inside) {
  const hash = createHash('sha256');
  for (const path of inside) hash.update(existsSync(path) ? readFileSync(path) : '');
  for (const path of outside) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}

/** What the program and the pages of its console are made of. */
const SOURCE = /[.](ts|tsx|css|html|svg|py|lock)$/;

/**
 * @param {string} folder
 * @returns {readonly string[]}
 */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesIn(path);
    return SOURCE.test(entry.name) && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** @param {string} folder */
function archivesIn(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.tar'));
  return names.map((name) => join(folder, name));
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
function run(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
  const said = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim();
  if (result.status === 0) return said;
  throw new Error(`${command} ${args.join(' ')}\n${result.error?.message ?? said}`);
}
