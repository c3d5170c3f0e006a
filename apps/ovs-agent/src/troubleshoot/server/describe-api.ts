import type { CaptureMost } from '../capture/capture-request.ts';
import { FLOW_PARAMETERS } from '../flows/read-flow-query.ts';
import { TRACE_PROTOCOLS } from '../trace/read-trace-request.ts';

type Json = Readonly<Record<string, unknown>>;

const text: Json = { type: 'string' };
const mac: Json = { type: 'string', examples: ['52:54:00:00:00:01'] };
const address: Json = { type: 'string', examples: ['192.0.2.1', 'fd00::1'] };
const large: Json = {
  oneOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: '^(0x[0-9a-fA-F]+|[0-9]+)$' },
  ],
};

/** What the API can do, in OpenAPI 3.1. */
export function describeApi(most: CaptureMost): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Troubleshooting of Open vSwitch on one node',
      version: '1',
      description:
        'Every call needs a token or a client certificate of the cluster, and the right to get or create a subresource of this OVSNode.',
    },
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Packet: packetSchema(), Capture: captureSchema(most), Trace: traceSchema(), Problem: problemSchema() },
    },
    paths: {
      '/v1/trace': post('trace', 'What would become of a packet', 'Trace', json('The path through the tables')),
      '/v1/captures': post('capture', 'Capture packets', 'Capture', {
        'application/vnd.tcpdump.pcap': { schema: text },
      }),
      '/v1/flows': get('flows', 'The flows of a bridge', flowParameters()),
      '/v1/bridges/{name}': get('diagnostics', 'All about a bridge', [pathParameter('name')]),
      '/v1/ports/{name}': get('diagnostics', 'All about a port or an interface', [pathParameter('name')]),
      '/v1/diagnostics': get('diagnostics', 'All about the switch', []),
      '/v1/topology': get('diagnostics', 'What is plugged in where', []),
    },
  };
}

function traceSchema(): Json {
  const states = ['new', 'est', 'rel', 'rpl', 'inv', 'trk', 'snat', 'dnat'];
  const conntrack = { type: 'array', maxItems: 16, items: { type: 'array', items: { enum: states } } };
  const properties = { bridge: text, packet: reference('Packet'), conntrack };
  return { type: 'object', additionalProperties: false, required: ['bridge', 'packet'], properties };
}

/** The largest value of each field that is a number. */
const NUMBERS = {
  ethernetType: 65_535,
  vlan: 4_095,
  vlanPriority: 7,
  ipProtocol: 255,
  ttl: 255,
  typeOfService: 252,
  sourcePort: 65_535,
  destinationPort: 65_535,
  icmpType: 255,
  icmpCode: 255,
  arpOperation: 65_535,
  packetMark: 0xffff_ffff,
};

const FIELDS: Json = {
  inPort: { description: 'a name or a number of a port of the bridge', type: ['string', 'integer'] },
  protocol: { enum: TRACE_PROTOCOLS },
  ethernetSource: mac,
  ethernetDestination: mac,
  arpSourceMac: mac,
  arpTargetMac: mac,
  ipSource: address,
  ipDestination: address,
  neighborTarget: address,
  tunnelSource: address,
  tunnelDestination: address,
  tunnelId: large,
  metadata: large,
  tcpFlags: { type: 'array', items: { enum: ['fin', 'syn', 'rst', 'psh', 'ack', 'urg', 'ece', 'cwr', 'ns'] } },
  registers: { type: 'object', additionalProperties: { type: 'integer' } },
};

function packetSchema(): Json {
  const integers = Object.entries(NUMBERS).map(([name, maximum]) => [name, { type: 'integer', minimum: 0, maximum }]);
  const properties = { ...FIELDS, ...Object.fromEntries(integers) };
  return { type: 'object', additionalProperties: false, required: ['inPort'], properties };
}

function captureSchema({ mostCaptureSeconds, mostCaptureBytes }: CaptureMost): Json {
  const filter =
    'a part of pcap-filter: host, net, port, protocols, vlan, and, or, not; no names and no bytes of packets';
  return {
    type: 'object',
    additionalProperties: false,
    oneOf: [{ required: ['port'] }, { required: ['bridge'] }],
    properties: {
      port: text,
      bridge: text,
      filter: { ...text, description: filter },
      seconds: { type: 'integer', minimum: 1, maximum: mostCaptureSeconds, default: Math.min(30, mostCaptureSeconds) },
      packets: { type: 'integer', minimum: 1 },
      bytes: { type: 'integer', minimum: 1_024, maximum: mostCaptureBytes },
      snapLength: { type: 'integer', minimum: 14, maximum: 262_144 },
    },
  };
}

function problemSchema(): Json {
  const problem = { type: 'object', properties: { field: text, message: text } };
  const properties = { title: text, status: { type: 'integer' }, detail: text, requestId: text };
  return { type: 'object', properties: { ...properties, type: text, problems: { type: 'array', items: problem } } };
}

function flowParameters(): readonly Json[] {
  return FLOW_PARAMETERS.map((name) => ({ name, in: 'query', required: name === 'bridge', schema: text }));
}

function pathParameter(name: string): Json {
  return { name, in: 'path', required: true, schema: text };
}

function post(subresource: string, summary: string, schema: string, content: Json): Json {
  const requestBody = { required: true, content: json('', reference(schema)) };
  const about = { summary, description: `Needs the right to create ovsnodes/${subresource}.` };
  return { post: { ...about, requestBody, responses: responses(content) } };
}

function get(subresource: string, summary: string, parameters: readonly Json[]): Json {
  const about = { summary, description: `Needs the right to get ovsnodes/${subresource}.` };
  return { get: { ...about, parameters, responses: responses(json('')) } };
}

function responses(content: Json): Json {
  const problem = { 'application/problem+json': { schema: reference('Problem') } };
  return {
    200: { description: 'what was asked for', content },
    default: { description: 'what is wrong', content: problem },
  };
}

function json(
  description: string,
  schema: Json = { type: 'object', ...(description === '' ? {} : { description }) },
): Json {
  return { 'application/json': { schema } };
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}
