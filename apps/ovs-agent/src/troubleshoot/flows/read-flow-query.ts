import type { FlowFilter } from '@smalt/openflow';

import type { FieldProblem } from '../../ovs-agent-error.ts';
import { requireNone } from '../request/check-fields.ts';

const MOST_FLOWS = 1_000_000;
const USUAL_FLOWS = 100_000;
const MOST_WORD = 2n ** 64n - 1n;
/** What may be asked for. */
export const FLOW_PARAMETERS: readonly string[] = [
  'bridge',
  'table',
  'cookie',
  'inPort',
  'outPort',
  'vlan',
  'ethernetSource',
  'ethernetDestination',
  'ethernetType',
  'ipSource',
  'ipDestination',
  'ipProtocol',
  'sourcePort',
  'destinationPort',
  'limit',
  'format',
];

/** The ports of the bridge that is asked about, by name. */
export type PortNumbers = ReadonlyMap<string, number>;

export interface FlowQuery {
  readonly filter: FlowFilter;
  readonly limit: number;
}

/** Reads what is asked for, beside the bridge. All that is wrong with it is one error. */
export function readFlowQuery(query: URLSearchParams, ports: PortNumbers): FlowQuery {
  const problems = nameProblems(query);
  const read = <T>(name: string, parse: (text: string) => Parsed<T>): T | undefined => {
    const text = query.get(name);
    if (text === null) return undefined;
    const parsed = parse(text);
    if ('problem' in parsed) problems.push({ field: name, message: parsed.problem });
    return 'problem' in parsed ? undefined : parsed.value;
  };
  const match = {
    inPort: read('inPort', portOf(ports)),
    vlan: read('vlan', wholeNumber(4_095)),
    ethernetSource: read('ethernetSource', asText),
    ethernetDestination: read('ethernetDestination', asText),
    ethernetType: read('ethernetType', wholeNumber(65_535)),
    ipSource: read('ipSource', asText),
    ipDestination: read('ipDestination', asText),
    ipProtocol: read('ipProtocol', wholeNumber(255)),
    sourcePort: read('sourcePort', wholeNumber(65_535)),
    destinationPort: read('destinationPort', wholeNumber(65_535)),
  };
  const filter = {
    table: read('table', wholeNumber(254)),
    outPort: read('outPort', portOf(ports)),
    ...read('cookie', cookieOf),
    match: withoutUndefined(match),
  };
  const limit = read('limit', wholeNumber(MOST_FLOWS)) ?? USUAL_FLOWS;
  requireNone(problems);
  return { filter: withoutUndefined(filter), limit };
}

type Parsed<T> = { readonly value: T } | { readonly problem: string };

function nameProblems(query: URLSearchParams): FieldProblem[] {
  return [...new Set(query.keys())].flatMap((field) => {
    if (!FLOW_PARAMETERS.includes(field))
      return [{ field, message: `is unknown; there are ${FLOW_PARAMETERS.join(', ')}` }];
    return query.getAll(field).length > 1 ? [{ field, message: 'is given more than once' }] : [];
  });
}

type Defined<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

function withoutUndefined<T extends object>(fields: T): Defined<T> {
  const defined: Defined<T> = { ...fields };
  for (const [name, value] of Object.entries(fields)) if (value === undefined) Reflect.deleteProperty(defined, name);
  return defined;
}

/** Addresses are read by the one who asks the switch; here they only have to be short. */
function asText(text: string): Parsed<string> {
  return text.length <= 100 ? { value: text } : { problem: 'must be an address, with a mask if you like' };
}

function wholeNumber(most: number): (text: string) => Parsed<number> {
  return (text) => {
    const isRight = /^(?:\d{1,7}|0x[0-9a-f]{1,5})$/i.test(text) && Number(text) <= most;
    return isRight ? { value: Number(text) } : { problem: `must be a whole number from 0 to ${most}` };
  };
}

function cookieOf(text: string): Parsed<Pick<FlowFilter, 'cookie' | 'cookieMask'>> {
  const { value, mask = '-1' } =
    /^(?<value>0x[0-9a-f]{1,16}|\d{1,20})(?:\/(?<mask>-1|0x[0-9a-f]{1,16}|\d{1,20}))?$/i.exec(text)?.groups ?? {};
  const problem = 'must be a number of 64 bits such as 0x1f, with a mask behind a slash where not all bits count';
  if (value === undefined) return { problem };
  const [cookie, cookieMask] = [BigInt(value), mask === '-1' ? MOST_WORD : BigInt(mask)];
  return cookie > MOST_WORD || cookieMask > MOST_WORD ? { problem } : { value: { cookie, cookieMask } };
}

function portOf(ports: PortNumbers): (text: string) => Parsed<number> {
  return (text) => {
    const number = ports.get(text) ?? (/^\d{1,10}$/.test(text) ? Number(text) : Number.NaN);
    if (number <= 0xffff_ffff) return { value: number };
    return { problem: `the bridge has no port ${JSON.stringify(text)}: give a name or a number of it` };
  };
}
