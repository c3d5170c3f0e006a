import { portsOfFlow, type Flow } from '@smalt/openflow';

const FIRST_OUTPUT_TABLE = 64;

/** How many flows carry each cookie, and how many name each port. It holds no flow. */
export class FlowCensus {
  readonly cookies: Map<bigint, number> = new Map();
  readonly ports: Map<number, number> = new Map();
  #flows = 0;

  get flows(): number {
    return this.#flows;
  }

  add(flow: Flow): void {
    this.#flows++;
    // ovn-controller marks what belongs to no row with 0.
    if (flow.cookie !== 0n) count(this.cookies, flow.cookie);
    if (isPhysical(flow)) for (const port of portsOfFlow(flow)) count(this.ports, port);
  }
}

/** Takes the cookies of rows away: ovn-controller makes a cookie of the first 32 bits of the uuid. */
export function removeExplained(cookies: Map<bigint, number>, uuids: Iterable<string>): void {
  for (const uuid of uuids) cookies.delete(BigInt(`0x${uuid.slice(0, 8)}`));
}

/** The ports that are named and not there, with how many flows name them. */
export function missingPorts(
  named: ReadonlyMap<number, number>,
  present: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  return new Map([...named].filter(([port]) => !present.has(port)));
}

/** Where packets come from and go to ports; the tables in between know logical ones. */
function isPhysical({ table }: Flow): boolean {
  return table === 0 || table >= FIRST_OUTPUT_TABLE;
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
