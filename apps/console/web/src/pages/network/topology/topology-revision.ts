import type { OVSNodeStatus } from '@smalt/ovs-api';

/** Another text whenever an OVSNode says that something was plugged or has changed; counters alone change nothing. */
export function topologyRevision(status: OVSNodeStatus | undefined): string {
  const { bridges = [], interfaces, issues = [], conditions = [] } = status ?? {};
  return JSON.stringify([
    bridges.map(({ name, ports, status: state }) => [name, ports, state]),
    interfaces?.physical?.map(({ name, bond, status: state }) => [name, bond, state]),
    interfaces?.bonds?.map(({ name, mode, members, activeMembers, status: state }) => [
      name,
      mode,
      members,
      activeMembers,
      state,
    ]),
    issues.map(({ reason, subject }) => [reason, subject]),
    conditions.map(({ type, status: state }) => [type, state]),
  ]);
}
