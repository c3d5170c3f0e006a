import {
  inferenceSource,
  inferFromLabels,
  isRevisionOf,
  referencedBy,
  specInRevision,
  unknownKindMessage,
  withInference,
  type ChosenPart,
  type ChosenSpecs,
  type Inference,
  type SpecByPart,
} from '@smalt/instance-types';
import type { VirtualMachine } from '@smalt/vm-api';

import type { ObjectReader } from '../cluster/cluster-objects.ts';

/** What a machine has chosen, and in words what of that is not there. */
export interface FoundSpecs {
  readonly chosen: ChosenSpecs;
  readonly missing: readonly string[];
}

type Reader = Pick<ObjectReader, 'referenced' | 'revision' | 'claim'>;

const PARTS: readonly ChosenPart[] = ['instancetype', 'preference'];

/** Whether a machine has chosen anything; most have not, and nothing is looked up for them. */
export function hasChosen({ spec }: VirtualMachine): boolean {
  return PARTS.some((part) => spec[part] !== undefined);
}

/** Looks up the instance type and the preference of a machine, by the revisions that are kept for it where there are. */
export async function findChosen(reader: Reader, machine: VirtualMachine, signal: AbortSignal): Promise<FoundSpecs> {
  const [instancetype, preference] = await Promise.all([
    findSpec(reader, 'instancetype', machine, signal),
    findSpec(reader, 'preference', machine, signal),
  ]);
  const missing = [missingIn('instancetype', machine, instancetype), missingIn('preference', machine, preference)];
  return {
    chosen: {
      ...(instancetype === undefined ? {} : { instancetype }),
      ...(preference === undefined ? {} : { preference }),
    },
    missing: missing.flatMap((message) => message ?? []),
  };
}

/** Looks up one of the two; undefined when the machine names none, or one that is not there. */
export async function findSpec<Part extends ChosenPart>(
  reader: Reader,
  part: Part,
  machine: VirtualMachine,
  signal: AbortSignal,
): Promise<SpecByPart[Part] | undefined> {
  const matcher = machine.spec[part];
  if (matcher === undefined) return undefined;
  const { namespace = '' } = machine.metadata;
  const { revisionName = '' } = matcher;
  const kept = machine.status?.[`${part}Ref`]?.controllerRevisionRef?.name ?? '';
  const name = revisionName === '' ? kept : revisionName;
  const revision = name === '' ? undefined : await reader.revision({ namespace, name }, signal);
  const isMeant = revisionName !== '' || isRevisionOf(revision?.metadata.labels, matcher.name ?? '');
  if (revision !== undefined && isMeant) return specInRevision(part, revision.data);
  const referenced = referencedBy(part, matcher);
  const object = referenced === undefined ? undefined : await reader.referenced(referenced, namespace, signal);
  return object === undefined ? undefined : specInRevision(part, object);
}

function missingIn(part: ChosenPart, { metadata, spec }: VirtualMachine, found: unknown): string | undefined {
  const matcher = spec[part];
  if (matcher === undefined || found !== undefined) return undefined;
  const { name = '', revisionName = '' } = matcher;
  if (name === '') return undefined;
  const referenced = referencedBy(part, matcher);
  if (referenced === undefined) return unknownKindMessage(part, matcher);
  const { kind, isNamespaced } = referenced.kind;
  const where = isNamespaced ? ` in namespace ${metadata.namespace ?? ''}` : '';
  const what = revisionName === '' ? `${kind} ${name}${where}` : `ControllerRevision ${revisionName} of a ${kind}`;
  return `spec.${part}: there is no ${what} yet: the machine does not start before it is there.`;
}

/** What a machine wants to have read off a volume, and why that cannot be done. */
export interface InferredMachine {
  readonly machine: VirtualMachine;
  readonly problems: readonly { readonly part: ChosenPart; readonly message: string }[];
}

/** Puts what the labels of claims say in the place of `inferFromVolume`. */
export async function inferMatchers(
  reader: Reader,
  machine: VirtualMachine,
  signal: AbortSignal,
): Promise<InferredMachine> {
  const problems: { part: ChosenPart; message: string }[] = [];
  let inferred = machine;
  for (const part of PARTS) {
    const volume = machine.spec[part]?.inferFromVolume ?? '';
    if (volume === '') continue;
    const inference = await infer(reader, part, machine, signal);
    inferred = withInference(inferred, part, inference);
    const isOpen = (inferred.spec[part]?.inferFromVolume ?? '') !== '';
    if (isOpen && inference.kind === 'none') problems.push({ part, message: inference.message });
  }
  return { machine: inferred, problems };
}

async function infer(
  reader: Reader,
  part: ChosenPart,
  machine: VirtualMachine,
  signal: AbortSignal,
): Promise<Inference> {
  const source = inferenceSource(machine, machine.spec[part]?.inferFromVolume ?? '');
  if (source.kind === 'none') return source;
  const { namespace, name } = source;
  const claim = name === '' ? undefined : await reader.claim({ namespace, name }, signal);
  if (claim !== undefined) return inferFromLabels(part, claim.metadata.labels);
  return { kind: 'none', message: `persistentvolumeclaims "${name}" not found`, isIgnorable: false };
}
