import { DomainXmlError } from '../domain-xml-error.ts';

const PART = /^(?<not>\^?)(?<from>\d+)(?:-(?<to>\d+))?$/u;

/** The numbers below `count` that a mask such as `0-3,^1` names. Throws `invalid-field` for anything else. */
export function readNumberMask(mask: string, count: number, field: string): readonly number[] {
  const chosen = new Set<number>();
  const refused = new Set<number>();
  for (const part of mask.split(',')) {
    const { not, from, to = from } = PART.exec(part.trim())?.groups ?? {};
    if (from === undefined) throw invalid(mask, field);
    if (Number(to) < Number(from)) throw invalid(mask, field);
    // Bounded by the processors that exist, for a mask may name billions.
    for (let number = Number(from); number <= Math.min(Number(to), count - 1); number++) {
      (not === '' ? chosen : refused).add(number);
    }
  }
  return [...chosen].filter((number) => !refused.has(number)).toSorted((left, right) => left - right);
}

function invalid(mask: string, field: string): DomainXmlError {
  return new DomainXmlError('invalid-field', `"${mask}" is no mask; write it like 0-3,^1`, { field });
}
