import type { FieldError } from '@smalt/resource';

import type { Correlation } from './correlation.ts';
import { childPath } from './field-path.ts';

/** Checks a value, reports what is wrong, and returns how many checks went well: alternatives are ranked by that. */
export type Check<Value> = (value: Value, run: ValidationRun) => number;

/** Something that is wrong. */
export interface Finding {
  /** Two findings with the same text are one. */
  readonly text: string;
  readonly error: FieldError;
}

/** One walk over an object: where it stands, and what it found so far. */
export class ValidationRun {
  readonly #segments: (string | number)[] = [];
  readonly #prefix: string;
  readonly #correlation: Correlation | undefined;
  #findings: Finding[] = [];
  #texts = new Set<string>();
  #tries = 0;

  constructor(prefix: string, correlation: Correlation | undefined) {
    this.#prefix = prefix;
    this.#correlation = correlation;
  }

  get findingCount(): number {
    return this.#findings.length;
  }

  /** Where the walk stands, seen from the value it started with. */
  path(): string {
    let path = '';
    for (const segment of this.#segments) {
      path = typeof segment === 'number' ? `${path}[${segment}]` : childPath(path, segment);
    }
    return path;
  }

  /** Where the walk stands, seen from the whole object. */
  field(): string {
    const path = this.path();
    return path === '' ? this.rootField() : childPath(this.#prefix, path);
  }

  rootField(): string {
    return this.#prefix === '' ? '<nil>' : this.#prefix;
  }

  /** The field that holds the one where the walk stands. */
  parentField(): string {
    const last = this.#segments.pop();
    const field = this.field();
    if (last !== undefined) this.#segments.push(last);
    return field;
  }

  lastName(): string {
    return String(this.#segments.at(-1) ?? '');
  }

  report(text: string, error: FieldError): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#findings.push({ text, error });
  }

  /**
   * Checks what is inside the value. What did not change since it was stored is not held against the writer, but only
   * outside of alternatives: those are judged as they are.
   */
  descend<Value>(segment: string | number, value: Value, check: Check<Value>): number {
    this.#segments.push(segment);
    const before = this.#findings.length;
    const count = check(value, this);
    if (this.#findings.length > before && this.#tries === 0 && this.#isUnchanged()) this.#forgetFrom(before);
    this.#segments.pop();
    return count;
  }

  /** Checks apart from all else, and hands the findings back instead of keeping them. */
  try<Value>(value: Value, check: Check<Value>): { readonly count: number; readonly findings: readonly Finding[] } {
    const kept = { findings: this.#findings, texts: this.#texts };
    this.#findings = [];
    this.#texts = new Set();
    this.#tries++;
    const count = check(value, this);
    this.#tries--;
    const findings = this.#findings;
    this.#findings = kept.findings;
    this.#texts = kept.texts;
    return { count, findings };
  }

  keep(findings: readonly Finding[]): void {
    for (const { text, error } of findings) this.report(text, error);
  }

  errors(): FieldError[] {
    if (this.#findings.length > 0 && (this.#correlation?.isUnchanged() ?? false)) return [];
    return this.#findings.map((finding) => finding.error);
  }

  #forgetFrom(index: number): void {
    for (const { text } of this.#findings.splice(index)) this.#texts.delete(text);
  }

  #isUnchanged(): boolean {
    let correlation = this.#correlation;
    const [first] = this.#segments;
    // The version an object is written in is not seen here: both sides were converted to the same.
    if (first === 'apiVersion' || first === 'kind') return false;
    for (const segment of this.#segments) correlation = correlation?.child(segment);
    return correlation?.isUnchanged() ?? false;
  }
}
