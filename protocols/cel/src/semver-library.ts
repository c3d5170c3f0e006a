import { BOOL, INT, opaque, type OpaqueType } from './cel-type.ts';
import { CelFailure, CelOpaque, type CelOutcome } from './cel-value.ts';
import { bool, instance, text } from './kinds.ts';
import { member, plain, type Library } from './overload.ts';

export const SEMVER_TYPE: OpaqueType = opaque('kubernetes.Semver');

class CelSemver extends CelOpaque {
  readonly typeName: string = SEMVER_TYPE.name;
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelSemver && compare(this, other) === 0;
  }
}

const semver = instance(SEMVER_TYPE, CelSemver);

export const SEMVER_LIBRARY: Library = {
  semver: [
    plain('string_to_semver', [text], SEMVER_TYPE, toSemver),
    plain('string_bool_to_semver', [text, bool], SEMVER_TYPE, (value, isNormalized) =>
      toSemver(isNormalized ? normalize(value) : value),
    ),
  ],
  isSemver: [
    plain('is_semver_string', [text], BOOL, (value) => toSemver(value) instanceof CelSemver),
    plain(
      'is_semver_string_bool',
      [text, bool],
      BOOL,
      (value, isNormalized) => toSemver(isNormalized ? normalize(value) : value) instanceof CelSemver,
    ),
  ],
  isGreaterThan: [member('semver_is_greater_than', [semver, semver], BOOL, (left, right) => compare(left, right) > 0)],
  isLessThan: [member('semver_is_less_than', [semver, semver], BOOL, (left, right) => compare(left, right) < 0)],
  compareTo: [member('semver_compare_to', [semver, semver], INT, (left, right) => BigInt(compare(left, right)))],
  major: [member('semver_major', [semver], INT, ({ numbers }) => numbers[0] ?? 0n)],
  minor: [member('semver_minor', [semver], INT, ({ numbers }) => numbers[1] ?? 0n)],
  patch: [member('semver_patch', [semver], INT, ({ numbers }) => numbers[2] ?? 0n)],
};

function toSemver(value: string | CelFailure): CelOutcome {
  if (value instanceof CelFailure) return value;
  if (value === '') return new CelFailure('Version string empty');
  const [major, minor, ...others] = value.split('.');
  if (major === undefined || minor === undefined || others.length === 0)
    return new CelFailure('No Major.Minor.Patch elements found');
  const last = others.join('.');
  const [, patch = '', prerelease, build] = /^([^-+]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(last) ?? [];
  const problem =
    numberProblem('Major', major) ??
    numberProblem('Minor', minor) ??
    numberProblem('Patch', patch) ??
    prereleaseProblem(prerelease) ??
    buildProblem(build);
  if (problem !== undefined) return new CelFailure(problem);
  return new CelSemver([major, minor, patch].map(BigInt), prerelease === undefined ? [] : prerelease.split('.'));
}

function numberProblem(name: string, value: string): string | undefined {
  if (!/^[0-9]+$/.test(value))
    return `Invalid character(s) found in ${name.toLowerCase()} number ${JSON.stringify(value)}`;
  if (value.length > 20 || BigInt(value) >= 2n ** 64n)
    return `strconv.ParseUint: parsing ${JSON.stringify(value)}: value out of range`;
  return /^0[0-9]/.test(value) ? `${name} number must not contain leading zeroes ${JSON.stringify(value)}` : undefined;
}

function prereleaseProblem(prerelease: string | undefined): string | undefined {
  for (const part of prerelease?.split('.') ?? []) {
    if (part === '') return 'Prerelease is empty';
    if (/^0[0-9]+$/.test(part))
      return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`;
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in prerelease ${JSON.stringify(part)}`;
  }
  return undefined;
}

function buildProblem(build: string | undefined): string | undefined {
  for (const part of build?.split('.') ?? []) {
    if (part === '') return 'Build meta data is empty';
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in build meta data ${JSON.stringify(part)}`;
  }
  return undefined;
}

// Takes a leading v off, leading zeros too, and makes up for missing numbers.
function normalize(value: string): string | CelFailure {
  const [major = '', minor, ...others] = value.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(others.length > 0 ? [others.join('.')] : [])];
  const trimmed = parts.map((part) => (part.length > 1 ? part.replace(/^0+/, '').replace(/^(?![0-9])/, '0') : part));
  if (trimmed.length < 3 && /[-+]/.test(trimmed.at(-1) ?? '')) {
    return new CelFailure('short version cannot contain PreRelease/Build meta data');
  }
  return [...trimmed, '0', '0'].slice(0, 3).join('.');
}

function compare(left: CelSemver, right: CelSemver): number {
  for (const [index, number] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  // A version without a prerelease comes after those with one.
  if (left.prerelease.length === 0 || right.prerelease.length === 0) {
    return Math.sign(right.prerelease.length - left.prerelease.length);
  }
  return comparePrerelease(left.prerelease, right.prerelease);
}

function comparePrerelease(left: readonly string[], right: readonly string[]): number {
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (part !== other) return comparePart(part, other);
  }
  return left.length < right.length ? -1 : 0;
}

function comparePart(left: string, right: string): number {
  const isNumber = /^[0-9]+$/.test(left);
  if (isNumber !== /^[0-9]+$/.test(right)) return isNumber ? -1 : 1;
  if (isNumber) return BigInt(left) < BigInt(right) ? -1 : 1;
  return left < right ? -1 : 1;
}
