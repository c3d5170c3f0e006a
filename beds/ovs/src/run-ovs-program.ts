import { runProgram } from '@smalt/libvirt-daemon';

const PACKAGES: Readonly<Record<string, string>> = {
  'ovsdb-tool': 'openvswitch-common',
  'ovs-appctl': 'openvswitch-common',
  'ovs-ofctl': 'openvswitch-common',
  'ovs-vsctl': 'openvswitch-switch',
  'ovn-nbctl': 'ovn-common',
  'ovn-sbctl': 'ovn-common',
};

/** Runs a program of Open vSwitch or OVN to its end and gives what it printed. */
export async function runOvsProgram(
  name: string,
  parameters: readonly string[],
  options: { readonly environment: Readonly<Record<string, string>>; readonly input?: string },
): Promise<string> {
  const program = { name, debianPackage: PACKAGES[name] ?? 'openvswitch-switch' };
  return (await runProgram(program, parameters, options)).toString();
}
