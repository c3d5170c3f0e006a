import type {
  DatapathBridge,
  DatapathCounters,
  DatapathPort,
  DatapathReport,
  ForwardingEntry,
} from './datapath-report.ts';

const FORWARDING = /^\s*(\S+)\s+(\d+)\s+([0-9a-f]{2}(?::[0-9a-f]{2}){5})\s+(\S+)\s*$/i;
const DATAPATH = /^(\S.*?): hit:(\d+) missed:(\d+)/;
const BRIDGE = /^ {2}(\S.*):$/;
const PORT = /^ {4}(\S+) (\d+)\/(\d+|none): \(([^:)]*)/;
const COUNTERS = /^\s+lookups: hit:(\d+) missed:(\d+) lost:(\d+)/;
const FLOWS = /^\s+flows: (\d+)/;

/** Reads the table of `fdb/show`. */
export function parseForwardingTable(text: string): readonly ForwardingEntry[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, port, vlan, mac, age = ''] = FORWARDING.exec(line) ?? [];
    if (port === undefined || mac === undefined) return [];
    return [{ port, vlan: Number(vlan), mac, ageSeconds: /^\d+$/.test(age) ? Number(age) : undefined }];
  });
}

/** Reads `dpif/show`: datapaths, and below them bridges, and below them ports. */
export function parseDatapaths(text: string): readonly DatapathReport[] {
  return blocks(text.split(/\r?\n/), (line) => /^\S/.test(line)).map(([head = '', ...lines]) => {
    const [, name = head.replace(/:.*$/, ''), hits, misses] = DATAPATH.exec(head) ?? [];
    return { name, hits: counter(hits), misses: counter(misses), bridges: readBridges(lines) };
  });
}

/** Reads the counters of `dpctl/show`; what stands below about ports is left out. */
export function parseDatapathCounters(text: string): readonly DatapathCounters[] {
  return blocks(text.split(/\r?\n/), (line) => /^\S/.test(line)).flatMap(([head = '', ...lines]) => {
    const [, hits, misses, lost] = firstMatch(lines, COUNTERS) ?? [];
    if (hits === undefined || misses === undefined || lost === undefined) return [];
    const [, flows] = firstMatch(lines, FLOWS) ?? [];
    const counts = { hits: BigInt(hits), misses: BigInt(misses), lost: BigInt(lost) };
    return [{ name: head.replace(/:$/, ''), ...counts, flows: counter(flows) }];
  });
}

function readBridges(lines: readonly string[]): readonly DatapathBridge[] {
  return blocks(lines, (line) => BRIDGE.test(line)).map(([head = '', ...ports]) => ({
    name: BRIDGE.exec(head)?.[1] ?? '',
    ports: ports.flatMap(readPort),
  }));
}

function readPort(line: string): readonly DatapathPort[] {
  const [, name, openFlowPort, datapathPort, type] = PORT.exec(line) ?? [];
  if (name === undefined || type === undefined) return [];
  const number = datapathPort === 'none' ? undefined : Number(datapathPort);
  return [{ name, openFlowPort: Number(openFlowPort), datapathPort: number, type }];
}

/** Cuts lines before each one that begins a block; what stands before the first is left out. */
function blocks(lines: readonly string[], begins: (line: string) => boolean): readonly (readonly string[])[] {
  const starts = lines.flatMap((line, index) => (begins(line) ? [index] : []));
  return starts.map((start, index) => lines.slice(start, starts[index + 1]));
}

function firstMatch(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  for (const line of lines) {
    const match = pattern.exec(line);
    if (match !== null) return match;
  }
  return undefined;
}

function counter(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : BigInt(text);
}
