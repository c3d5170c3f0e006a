/** What a server says about a database of its own in `_Server`. */
export interface MemberView {
  readonly model: string;
  readonly connected: boolean;
  readonly leader: boolean;
}

/** Why this server will not do, or undefined where it will. One that lost its cluster tells old news without knowing. */
export function judgeMember(member: MemberView | undefined, leaderOnly: boolean): string | undefined {
  if (member === undefined || member.model !== 'clustered') return undefined;
  if (!member.connected) return 'it is cut off from its cluster';
  return leaderOnly && !member.leader ? 'it is not the leader of its cluster' : undefined;
}
