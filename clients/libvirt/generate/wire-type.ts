/** The type of a value as it goes over the wire, and with it its shape in TypeScript. */
export type WireType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'struct'; readonly name: string }
  | { readonly kind: 'optional'; readonly item: WireType }
  | { readonly kind: 'list'; readonly item: WireType; readonly max: number }
  | { readonly kind: 'opaque' | 'bytes' | 'text'; readonly max: number }
  | { readonly kind: 'fixedText'; readonly size: number }
  | { readonly kind: ParameterKind; readonly max: number; readonly set: string };

/** The three ways in which a list of named values is laid out. */
type ParameterKind = 'parameters' | 'parameterGroups' | 'counters';

/** The types that have no parts and no limit of their own. */
export type ScalarKind = (typeof SCALARS)[number];

const SCALARS = ['i32', 'u32', 'i64', 'u64', 'string', 'uuid'] as const;
const SIZED = ['opaque', 'bytes', 'text'] as const;
const NAMED = ['parameters', 'parameterGroups', 'counters'] as const;

/** Reads `Domain[16384]` and the like; `undefined` when `text` is not a type. */
export function parseWireType(text: string): WireType | undefined {
  if (text.endsWith('?')) {
    const item = parseWireType(text.slice(0, -1));
    return item && { kind: 'optional', item };
  }
  const sized = /^([^[\]]+)\[(=?)(\d+)\](?::([A-Z]\w*))?$/.exec(text);
  if (sized) return sizedType(sized[1] ?? '', { fixed: sized[2] === '=', max: Number(sized[3]), set: sized[4] });
  const scalar = SCALARS.find((kind) => kind === text);
  if (scalar) return { kind: scalar };
  return /^[A-Z]\w*$/.test(text) ? { kind: 'struct', name: text } : undefined;
}

/** Whether `type` has no parts and no limit of its own. */
export function isScalar(type: WireType): type is { readonly kind: ScalarKind } {
  return SCALARS.some((kind) => kind === type.kind);
}

interface Brackets {
  readonly fixed: boolean;
  readonly max: number;
  readonly set: string | undefined;
}

function sizedType(base: string, { fixed, max, set }: Brackets): WireType | undefined {
  if (fixed) return base === 'text' && set === undefined ? { kind: 'fixedText', size: max } : undefined;
  const named = NAMED.find((kind) => kind === base);
  if (named) return set === undefined ? undefined : { kind: named, max, set };
  if (set !== undefined) return undefined;
  const sized = SIZED.find((kind) => kind === base);
  if (sized) return { kind: sized, max };
  const item = parseWireType(base);
  return item && { kind: 'list', item, max };
}
