import type { Answer, BondFacts, InterfaceFacts, PortFacts } from '../switch-facts.ts';

/** How a bond does. `unknown` where nobody could tell. */
export type BondState =
  | { readonly kind: 'unknown'; readonly why: string }
  | {
      readonly kind: 'known';
      readonly word: 'Active' | 'Degraded' | 'Down';
      readonly activeMembers: number;
      /** Members without traffic and why, and what is wrong with the bond as a whole. */
      readonly troubles: readonly string[];
    };

/**
 * Judges a bond by what `bond/show` says is enabled. A port of which only one device could be opened is no bond to
 * ovs-vswitchd; then the database is asked, if it can be trusted.
 */
export function bondState(
  port: PortFacts,
  answer: Answer<BondFacts | undefined> | undefined,
  isLinkNews: boolean,
): BondState {
  if (answer === undefined) return { kind: 'unknown', why: 'ovs-vswitchd was not asked about it yet' };
  if (answer.kind === 'unknown') return { kind: 'unknown', why: answer.why };
  const bond = answer.value;
  if (bond === undefined && !isLinkNews) return { kind: 'unknown', why: 'what the database says is old' };
  const active = new Set(
    bond === undefined
      ? port.interfaces.filter((member) => carriesAlone(member, port)).map(({ name }) => name)
      : bond.members.filter(({ isEnabled }) => isEnabled).map(({ name }) => name),
  );
  const idle = port.interfaces.filter(({ name }) => !active.has(name));
  const activeMembers = port.interfaces.length - idle.length;
  const isSilent = usesLacp(port) && bond?.lacpStatus === 'configured';
  const troubles = [
    ...(isSilent ? ['its LACP partner does not answer'] : []),
    ...idle.map((member) => `${member.name} carries no traffic${isLinkNews ? whyIdle(member, port) : ''}`),
  ];
  const word = activeMembers === 0 ? 'Down' : troubles.length > 0 ? 'Degraded' : 'Active';
  return { kind: 'known', word, activeMembers, troubles };
}

function usesLacp({ lacp }: PortFacts): boolean {
  return lacp === 'active' || lacp === 'passive';
}

// `lacp_current` stays true on a member whose link is down, so it counts only beside a link that is up.
function carriesAlone(member: InterfaceFacts, port: PortFacts): boolean {
  const isOpen = (member.ofport ?? -1n) > 0n && member.linkState === 'up';
  return isOpen && (!usesLacp(port) || member.lacpCurrent === true);
}

function whyIdle(member: InterfaceFacts, port: PortFacts): string {
  if ((member.ofport ?? -1n) < 0n) return ' (its device is missing)';
  // The state of a device that was taken away is down, too.
  if (member.adminState !== 'up') return ' (it is switched off or gone)';
  if (member.linkState !== 'up') return ' (its link is down)';
  return usesLacp(port) && member.lacpCurrent !== true ? ' (LACP does not hear its partner)' : '';
}
