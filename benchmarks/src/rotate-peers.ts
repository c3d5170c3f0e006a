/** The order in which peers take their turn in a round: each round starts with the next one, so none is always first. */
export function rotatePeers<Peer>(peers: readonly Peer[], round: number): readonly Peer[] {
  const start = peers.length === 0 ? 0 : round % peers.length;
  return [...peers.slice(start), ...peers.slice(0, start)];
}
