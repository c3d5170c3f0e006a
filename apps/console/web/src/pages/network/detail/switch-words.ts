import type { Bond, Bridge, OVNController, PhysicalInterface } from '@smalt/ovs-api';

/** A bridge in a line, such as `Active, 12 ports, 40 flows, kernel`. */
export function bridgeWords({ status, ports, flows, datapathType }: Bridge): string {
  const parts = [
    status,
    counted(ports, 'port'),
    counted(flows, 'flow'),
    datapathType === 'netdev' ? 'user space' : datapathType === undefined ? undefined : 'kernel',
  ];
  return joined(parts);
}

/** A bond in a line, such as `Degraded, balance-tcp, 1 of 2 members carry traffic`. */
export function bondWords({ status, mode, members, activeMembers }: Bond): string {
  const carry =
    members === undefined
      ? undefined
      : activeMembers === undefined
        ? counted(members, 'member')
        : `${activeMembers} of ${members} members carry traffic`;
  return joined([status, mode, carry]);
}

/** A network card in a line, such as `Up, 25Gbps, in bond0`. */
export function cardWords({ status, speed, bond }: PhysicalInterface): string {
  return joined([status, speed, bond === undefined ? undefined : `in ${bond}`]);
}

/** Whether OVN is there, and connected. */
export function controllerWords(controller: OVNController | undefined): string {
  if (controller?.connected === undefined) return 'not used';
  const where = controller.sbConnection === undefined ? '' : ` to ${controller.sbConnection}`;
  return controller.connected ? `connected${where}` : `not connected${where}`;
}

function counted(count: number | undefined, what: string): string | undefined {
  return count === undefined ? undefined : `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}
