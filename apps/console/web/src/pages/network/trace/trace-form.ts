/** What a person fills in to trace a packet; empty texts are left out. */
export interface TraceForm {
  readonly bridge: string;
  readonly inPort: string;
  readonly protocol: string;
  readonly ethernetSource: string;
  readonly ethernetDestination: string;
  readonly ipSource: string;
  readonly ipDestination: string;
  readonly sourcePort: string;
  readonly destinationPort: string;
  readonly vlan: string;
}

export type TraceField = keyof TraceForm;

export const EMPTY_TRACE: TraceForm = {
  bridge: '',
  inPort: '',
  protocol: '',
  ethernetSource: '',
  ethernetDestination: '',
  ipSource: '',
  ipDestination: '',
  sourcePort: '',
  destinationPort: '',
  vlan: '',
};

/** The protocols that are offered, with what people call them. */
export const TRACE_PROTOCOLS: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'Any' },
  { value: 'icmp', label: 'ICMP' },
  { value: 'tcp', label: 'TCP' },
  { value: 'udp', label: 'UDP' },
  { value: 'arp', label: 'ARP' },
  { value: 'ip', label: 'IPv4' },
  { value: 'ipv6', label: 'IPv6' },
  { value: 'icmp6', label: 'ICMPv6' },
  { value: 'tcp6', label: 'TCP over IPv6' },
  { value: 'udp6', label: 'UDP over IPv6' },
];

const NUMBERS: readonly TraceField[] = ['sourcePort', 'destinationPort', 'vlan'];

/** Which of the fields a protocol has; the others would be refused. */
export function fieldsOf(protocol: string): readonly TraceField[] {
  const always: readonly TraceField[] = ['ethernetSource', 'ethernetDestination', 'vlan'];
  if (protocol === '') return always;
  const addressed: readonly TraceField[] = [...always, 'ipSource', 'ipDestination'];
  return /^(?:tcp|udp)/.test(protocol) ? [...addressed, 'sourcePort', 'destinationPort'] : addressed;
}

/** The body of the call. A number that is none is sent as it is, so that the agent says what is wrong with it. */
export function traceBody(form: TraceForm): Readonly<Record<string, unknown>> {
  const fields: readonly TraceField[] = ['inPort', 'protocol', ...fieldsOf(form.protocol)];
  const packet = fields.flatMap((field) => {
    const text = form[field].trim();
    if (text === '') return [];
    return [[field, NUMBERS.includes(field) && /^\d+$/.test(text) ? Number(text) : text] as const];
  });
  return { bridge: form.bridge, packet: Object.fromEntries(packet) };
}

/** What the agent says is wrong, by the field it is about; the rest as it is. */
export function placeProblems(problems: readonly { readonly field?: string; readonly message?: string }[]): {
  readonly fields: Readonly<Partial<Record<TraceField, string>>>;
  readonly others: readonly string[];
} {
  const named = problems.map(({ field = '', message = '' }) => ({ field: field.replace(/^packet\./, ''), message }));
  return {
    fields: Object.fromEntries(
      named.filter(({ field }) => isField(field)).map(({ field, message }) => [field, message]),
    ),
    others: named
      .filter(({ field }) => !isField(field))
      .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)),
  };
}

function isField(text: string): text is TraceField {
  return Object.hasOwn(EMPTY_TRACE, text);
}
