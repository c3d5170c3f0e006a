/** What a person fills in to capture packets. */
export interface CaptureForm {
  readonly target: 'port' | 'bridge';
  readonly name: string;
  readonly filter: string;
  readonly seconds: string;
  readonly packets: string;
}

export type CaptureField = 'name' | 'filter' | 'seconds' | 'packets';

export const EMPTY_CAPTURE: CaptureForm = { target: 'port', name: '', filter: '', seconds: '10', packets: '' };

export const CAPTURE_TARGETS: readonly { readonly value: CaptureForm['target']; readonly label: string }[] = [
  { value: 'port', label: 'one port' },
  { value: 'bridge', label: 'a whole bridge' },
];

/** What a page holds before it is saved. */
export const MOST_CAPTURE_BYTES = 16_777_216;

/** The body of the call. A number that is none is sent as it is, so that the agent says what is wrong with it. */
export function captureBody({
  target,
  name,
  filter,
  seconds,
  packets,
}: CaptureForm): Readonly<Record<string, unknown>> {
  return {
    [target]: name.trim(),
    bytes: MOST_CAPTURE_BYTES,
    ...(filter.trim() === '' ? {} : { filter: filter.trim() }),
    ...(seconds.trim() === '' ? {} : { seconds: numberOrText(seconds) }),
    ...(packets.trim() === '' ? {} : { packets: numberOrText(packets) }),
  };
}

/** What the agent says is wrong, by the field it is about; the rest as it is. */
export function placeCaptureProblems(problems: readonly { readonly field?: string; readonly message?: string }[]): {
  readonly fields: Readonly<Partial<Record<CaptureField, string>>>;
  readonly others: readonly string[];
} {
  const placed = problems.map(({ field = '', message = '' }) => ({ field: fieldOf(field), given: field, message }));
  return {
    fields: Object.fromEntries(placed.flatMap(({ field, message }) => (field === undefined ? [] : [[field, message]]))),
    others: placed
      .filter(({ field }) => field === undefined)
      .map(({ given, message }) => (given === '' ? message : `${given}: ${message}`)),
  };
}

/** The name of the file to save, such as `n1-tap1-20260102T030405.pcap`. */
export function captureFileName(node: string, name: string, at: Date): string {
  const time = at.toISOString().replaceAll(/[-:]|\.\d+Z$/g, '');
  return `${node}-${name}-${time}.pcap`.replaceAll(/[^\w.-]/g, '_');
}

function fieldOf(field: string): CaptureField | undefined {
  switch (field) {
    case 'port':
    case 'bridge':
      return 'name';
    case 'filter':
    case 'seconds':
    case 'packets':
      return field;
    default:
      return undefined;
  }
}

function numberOrText(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text;
}
