/** What became of a traced packet, as far as it is shown. */
export interface TraceAnswer {
  readonly verdict: TraceVerdict;
  readonly passes: readonly TracePass[];
  /** The whole text of the switch. */
  readonly text: string;
}

export type TraceVerdict =
  | { readonly kind: 'output'; readonly ports: readonly string[] }
  | { readonly kind: 'controller' }
  | { readonly kind: 'drop'; readonly why: string | undefined };

interface TracePass {
  /** Why the packet came back for another run through the tables. */
  readonly resumedBy: string | undefined;
  readonly steps: readonly TraceStep[];
}

/** A step in words, and what it led to. */
export interface TraceStep {
  readonly words: string;
  readonly kind: string;
  readonly steps: readonly TraceStep[];
}

type Json = Readonly<Record<string, unknown>>;

/** Reads what the agent answered. Undefined for what is no trace. */
export function readTrace(answer: unknown): TraceAnswer | undefined {
  if (!isRecord(answer)) return undefined;
  const verdict = readVerdict(answer['verdict']);
  if (verdict === undefined) return undefined;
  return { verdict, passes: listOf(answer['passes']).map(readPass), text: textOf(answer['text']) ?? '' };
}

function readVerdict(value: unknown): TraceVerdict | undefined {
  if (!isRecord(value)) return undefined;
  switch (value['kind']) {
    case 'output': {
      const ports: readonly unknown[] = Array.isArray(value['ports']) ? value['ports'] : [];
      return { kind: 'output', ports: ports.map(String) };
    }
    case 'controller':
      return { kind: 'controller' };
    case 'drop':
      return { kind: 'drop', why: textOf(value['why']) };
    default:
      return undefined;
  }
}

function readPass(pass: Json): TracePass {
  return { resumedBy: textOf(pass['resumedBy']), steps: listOf(pass['steps']).map(readStep) };
}

function readStep(step: Json): TraceStep {
  return { words: stepWords(step), kind: textOf(step['kind']) ?? '', steps: listOf(step['steps']).map(readStep) };
}

function stepWords(step: Json): string {
  switch (step['kind']) {
    case 'table': {
      const match = textOf(step['match']);
      const found = match === undefined ? 'no flow matches' : match === '' ? 'any packet' : match;
      const priority = typeof step['priority'] === 'number' ? `, priority ${step['priority']}` : '';
      return `Table ${String(step['table'])}: ${found}${priority}`;
    }
    case 'bridge':
      return `Bridge ${textOf(step['bridge']) ?? ''}`;
    default:
      return textOf(step['text']) ?? '';
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
