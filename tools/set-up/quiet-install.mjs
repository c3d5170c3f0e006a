import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const MARK = '# Made by the set-up of Smalt for the length of one installation: remove it if it is still here.';

/**
 * Units of packages that tests start daemons of by themselves, with files of their own. Debian enables them at installation.
 *
 * @type {ReadonlyMap<string, readonly string[]>}
 */
const unitsOfPackage = new Map([
  ['openvswitch-switch', ['openvswitch-switch.service', 'ovs-record-hostname.service']],
  ['ovn-central', ['ovn-central.service', 'ovn-ovsdb-server-nb.service', 'ovn-ovsdb-server-sb.service']],
  ['ovn-host', ['ovn-host.service']],
  ['prometheus', ['prometheus.service']],
]);

/**
 * What Debian would start at every boot from now on, though nobody asked for more than its programs.
 *
 * @param {readonly string[]} packages those that were not installed before
 * @returns {readonly string[]}
 */
export function unwantedUnits(packages) {
  return packages.flatMap((name) => unitsOfPackage.get(name) ?? []);
}

/**
 * Installs without starting the daemons that come along. A policy of the machine's owner is left as it is.
 *
 * @param {() => void} install
 * @param {string} [policy] the program that Debian asks whether it may start a service
 */
export function withoutStarting(install, policy = '/usr/sbin/policy-rc.d') {
  if (existsSync(policy) && !readFileSync(policy, 'utf8').includes(MARK)) {
    install();
    return;
  }
  writeFileSync(policy, `#!/bin/sh\n${MARK}\nexit 101\n`, { mode: 0o755 });
  try {
    install();
  } finally {
    rmSync(policy);
  }
}
